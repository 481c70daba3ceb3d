"""How a call is carried out at home: the paired browsers, the runner, the verdict. Knows no clock."""

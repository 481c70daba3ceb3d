"""Who asks and how we answer: commands, channels, replies, and the composition root. Nothing imports it."""

// Fills an empty page with 50,000 nodes, 300 of them in nested shadow roots; gives the number of nodes. For bench/find.py.
() => {
  const CARDS = 4130;
  const HOSTS = 100;
  const card = (i) =>
    `<div class="card"><h3>Title ${i}</h3><p>Some text <b>bold</b> ${i}</p><button>Save ${i}</button><a href="#x">Link ${i}</a></div>`;
  document.body.innerHTML = Array.from({ length: CARDS }, (_, i) => card(i)).join("");
  let parent = document.body;
  for (let i = 0; i < HOSTS; i += 1) {
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    root.innerHTML = `<button>Shadow ${i}</button>`;
    (i % 10 === 0 ? document.body : parent).append(host);
    parent = root;
  }
  const count = (node) =>
    [...node.childNodes].reduce((sum, child) => sum + 1 + count(child) + (child.shadowRoot ? count(child.shadowRoot) : 0), 0);
  return count(document);
}

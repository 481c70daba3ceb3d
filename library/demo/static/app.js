// @ts-check
// The feed: composes, shows and deletes posts. Everything is built with DOM calls; no text ever becomes HTML.

import { ask, Refused } from "./api.js";
import { LikeButton } from "./like_button.js";

/** @typedef {{id: number, url: string, author: string, text: string, at: string, likes: number}} Post */

const LONGEST = 280;
const composer = element("composer");
const postButton = /** @type {HTMLButtonElement} */ (element("post"));
const onePost = /^\/p\/\d+$/.test(location.pathname);
let me = "";

/** @param {string} id @returns {HTMLElement} */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} className @param {string} [text] */
function make(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** The text as a person sees it: each block and each line break begins a line (innerText counts an empty block twice). */
function written() {
  let text = "";
  let newLine = false;
  /** @param {string} more */
  const add = (more) => {
    text += newLine ? `\n${more}` : more;
    newLine = false;
  };
  /** @param {Node} node */
  const visit = (node) => {
    if (node instanceof Text) return add(node.data);
    if (node instanceof HTMLBRElement) {
      if (newLine) add("");
      newLine = true;
      return;
    }
    const isBlock = node instanceof HTMLDivElement || node instanceof HTMLParagraphElement;
    if (isBlock && text) newLine = true;
    node.childNodes.forEach(visit);
    if (isBlock) newLine = true;
  };
  composer.childNodes.forEach(visit);
  return text.replace(/\u00a0/g, " ").trim();
}

function showCount() {
  const length = [...written()].length;
  element("count").textContent = `${length} / ${LONGEST}`;
  element("count").classList.toggle("over", length > LONGEST);
  postButton.disabled = length === 0 || length > LONGEST;
  if (length === 0 && !composer.textContent) composer.replaceChildren();
}

/** @param {() => Promise<string>} act gives what to tell when it worked */
async function tell(act) {
  element("problem").hidden = true;
  try {
    element("status").textContent = await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    element("status").textContent = "";
    element("problem").textContent = error.message;
    element("problem").hidden = false;
  }
}

async function post() {
  postButton.disabled = true;
  await tell(async () => {
    const stored = await ask("POST", "/api/posts", { text: written() });
    composer.replaceChildren();
    element("feed").prepend(article(stored));
    element("empty").hidden = true;
    return "Posted.";
  });
  showCount();
}

/** @param {Post} shown @param {HTMLElement} place */
function askToDelete(shown, place) {
  const dialog = /** @type {HTMLDialogElement} */ (element("sure"));
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue !== "delete") return;
    void tell(async () => {
      await ask("DELETE", `/api/posts/${shown.id}`);
      place.remove();
      return "Deleted.";
    });
  };
  dialog.showModal();
}

/** @param {Post} shown */
function article(shown) {
  const place = make("article", "");
  place.setAttribute("role", "article");
  place.dataset.url = shown.url;
  place.dataset.id = String(shown.id);
  const header = make("header", "");
  const link = make("a", "soft");
  link.href = shown.url;
  const time = make("time", "", new Date(shown.at).toLocaleString());
  time.dateTime = shown.at;
  link.append(time);
  header.append(make("strong", "", shown.author), link);
  const footer = make("footer", "");
  const like = new LikeButton();
  like.count = shown.likes;
  like.send = async () => (await ask("POST", `/api/posts/${shown.id}/like`)).likes;
  footer.append(like);
  if (shown.author === me) {
    const remove = make("button", "quiet", "Delete");
    remove.type = "button";
    remove.addEventListener("click", () => askToDelete(shown, place));
    footer.append(remove);
  }
  place.append(header, make("p", "text", shown.text), footer);
  return place;
}

async function load() {
  me = (await ask("GET", "/api/me")).user;
  element("me").textContent = me;
  const url = onePost ? `/api${location.pathname.replace("/p/", "/posts/")}` : "/api/posts";
  const answer = await ask("GET", url);
  /** @type {Post[]} */
  const posts = onePost ? [answer] : answer.posts;
  element("feed").replaceChildren(...posts.map(article));
  element("empty").hidden = posts.length > 0;
}

composer.addEventListener("input", showCount);
composer.addEventListener("paste", (event) => {
  event.preventDefault();
  document.execCommand("insertText", false, event.clipboardData?.getData("text/plain") ?? "");
});
postButton.addEventListener("click", () => void post());
element("compose").hidden = onePost;
void tell(async () => {
  await load();
  return "";
});

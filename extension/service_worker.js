// @ts-check
// The service worker put together. It supervises the offscreen document and makes the chrome.* calls that only it can make;
// it may be killed at any moment, so every listener is added at once and whatever it remembers is in chrome.storage.

import { answer, onCommand } from "./worker/commands.js";
import { onDebuggerDetached } from "./worker/debugger.js";
import { onGroupRemoved, onTabCreated, onTabRemoved, onTabReplaced, onTabUpdated } from "./worker/group.js";
import { onCommitted, onNavigationFailed } from "./worker/navigation.js";
import { acceptOffscreen, ensureOffscreen } from "./worker/offscreen_document.js";

const ALARM = "supervise";

chrome.runtime.onInstalled.addListener(ensureOffscreen);
chrome.runtime.onStartup.addListener(ensureOffscreen);
chrome.alarms.onAlarm.addListener(ensureOffscreen);
void chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });

addEventListener("message", ({ data, ports: [port] }) => {
  if (data?.line && port) acceptOffscreen(port, answer);
});
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (!sender.url?.startsWith(chrome.runtime.getURL(""))) return false;
  void onCommand(message).then(reply);
  return true;
});

chrome.tabs.onCreated.addListener(onTabCreated);
chrome.tabs.onUpdated.addListener(onTabUpdated);
chrome.tabs.onRemoved.addListener(onTabRemoved);
chrome.tabs.onReplaced.addListener(onTabReplaced);
chrome.tabGroups.onRemoved.addListener(onGroupRemoved);
chrome.webNavigation.onCommitted.addListener(onCommitted, { url: [{ schemes: ["http", "https"] }] });
chrome.webNavigation.onErrorOccurred.addListener(onNavigationFailed);
chrome.debugger.onDetach.addListener(onDebuggerDetached);

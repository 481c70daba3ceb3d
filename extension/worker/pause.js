// @ts-check
// Pause: the person's own Stop. It holds until the person resumes, also over restarts of the browser.

import { showBadge } from "./badge.js";
import { adopt, publish } from "./group.js";
import { keep } from "./state.js";

/** @param {boolean} paused */
export async function pause(paused) {
  await keep({ paused });
  await publish();
  await showBadge();
  if (!paused) await adopt();
}

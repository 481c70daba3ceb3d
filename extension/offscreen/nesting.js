// @ts-check
// How deeply JSON is nested. The relay closes the connection on a frame that its readers cannot hold, and one body must not
// end the runs of others. Pure.

const DEEPEST = 100;

/** @param {unknown} value JSON */
export function isTooDeep(value) {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((item) => (item !== null && typeof item === "object" ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

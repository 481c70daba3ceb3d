// @ts-check
// `getCookie`: one cookie that the page itself may read. Never HttpOnly ones. Permission was checked before.

(() => {
  const { page } = globalThis.runhome;

  /** Args: a name. Gives its decoded value, or null. @param {any[]} args */
  function getCookie([name]) {
    if (typeof name !== "string" || name === "") throw page.error("BAD_ARGUMENT", "getCookie needs the name of a cookie.");
    const pairs = document.cookie.split("; ").map((pair) => /** @type {[string, string]} */ ([pair.replace(/=.*$/s, ""), pair.replace(/^[^=]*=?/s, "")]));
    const found = pairs.find(([key]) => key === name);
    return found ? decoded(found[1]) : null;
  }

  /** @param {string} value */
  function decoded(value) {
    try {
      return decodeURIComponent(value);
    } catch {
      return value; // a lone % was meant as it is
    }
  }

  page.register("getCookie", getCookie);
})();

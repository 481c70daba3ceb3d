// @ts-check
// The token by which a site knows its own pages: where it may be, and in which header it goes. It sends nothing.

(() => {
  const { page } = globalThis.runhome;

  /**
   * place: a variable is the page's own and up to date; a cookie may be older than the site's session, and a document is as
   * old as its loading · from: where it was, in words for a trace
   * · others: what further cookies hold, for headers of their own
   * @typedef {{token: string, header: string, place: "variable" | "cookie" | "document", from: string, others?: Found[]}} Found
   */

  /** Cookies that hold a token, with the header that their makers read it from. Order: the most particular first. */
  const COOKIES = [
    ["ct0", "x-csrf-token"], // X
    ["XSRF-TOKEN", "X-XSRF-TOKEN"], // Angular, Laravel, axios
    ["csrftoken", "X-CSRFToken"], // Django
    ["_xsrf", "X-XSRFToken"], // Tornado, Jupyter
    ["_csrf", "X-CSRF-Token"], // csurf, Yii
  ];
  /** Names of meta tags and hidden fields, with the header that belongs to them. */
  const NAMES = [
    ["csrf-token", "X-CSRF-Token"], // Rails, Laravel
    ["_csrf", "X-CSRF-TOKEN"], // Spring
    ["csrfmiddlewaretoken", "X-CSRFToken"], // Django
    ["csrftoken", "X-CSRFToken"],
    ["csrf_token", "X-CSRFToken"], // Flask-WTF
    ["csrf", "X-CSRF-Token"],
    ["_token", "X-CSRF-TOKEN"], // Laravel
    ["authenticity_token", "X-CSRF-Token"], // Rails
    ["_xsrf", "X-XSRFToken"],
    ["xsrf-token", "X-XSRF-TOKEN"],
    ["__RequestVerificationToken", "RequestVerificationToken"], // ASP.NET
    ["_wpnonce", "X-WP-Nonce"],
  ];
  const VARIABLE_HEADER = "X-CSRF-Token";
  const REFRESH_MS = 5_000;
  const TAKEN_MS = 60_000;

  /** When the site last took a write with this cookie. @type {{token: string, at: number} | null} */
  let taken = null;

  /**
   * Args: none. Gives the token, or null where the page has none in a known place.
   * @param {any[]} _args @param {import("../types").PageContext} context @returns {Promise<string | null>}
   */
  async function getCsrfToken(_args, context) {
    return (await find(context))?.token ?? null;
  }

  /** @param {import("../types").PageContext} context @returns {Promise<Found | null>} */
  async function find(context) {
    const named = context.options.csrf;
    if (named) {
      const token = await page.main.variable(named, context.signal);
      if (token)
        return { token, header: headerOfVariable(named), place: "variable", from: `the page variable ${named}` };
    }
    return inCookie() ?? inMeta(document) ?? inField(document);
  }

  /**
   * The token to send with a write. What may have grown old is compared with the page asked anew, *before* the write leaves:
   * after a refusal it is too late, for Chrome itself sends a write again when a used connection breaks, and the refusal may
   * be of that second one.
   * @param {import("../types").PageContext} context @returns {Promise<Found | null>}
   */
  async function current(context) {
    const here = await find(context);
    if (here === null || here.place === "variable") return here;
    const wasTaken = taken?.token === here.token && performance.now() - taken.at < TAKEN_MS;
    if (here.place === "cookie" && wasTaken) return here;
    return (await fetchAnew(context)) ?? here;
  }

  /** Tells that the site took a write with this token. @param {Found | null} found */
  function tookIt(found) {
    if (found) taken = { token: found.token, at: performance.now() };
  }

  /**
   * The page is asked for once more (a read), for a token newer than the one it was loaded with.
   * @param {import("../types").PageContext} context @returns {Promise<Found | null>}
   */
  async function fetchAnew(context) {
    const fresh = await thisPageAnew(context.signal);
    return fresh && (inCookie() ?? inMeta(fresh) ?? inField(fresh));
  }

  /** Parsed by the request itself: no text becomes HTML here, and Trusted Types have nothing to say. @param {AbortSignal} signal @returns {Promise<Document | null>} */
  function thisPageAnew(signal) {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open("GET", location.href);
      request.responseType = "document";
      request.timeout = REFRESH_MS;
      request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
      signal.addEventListener("abort", () => request.abort(), { once: true });
      request.send();
    });
  }

  /** A variable of a known framework has a header of its own. @param {string} path */
  function headerOfVariable(path) {
    return /nonce/i.test(path) && /wp/i.test(path) ? "X-WP-Nonce" : VARIABLE_HEADER;
  }

  /** @returns {Found | null} */
  function inCookie() {
    const cookies = new Map(document.cookie.split("; ").map((pair) => split(pair)));
    /** @type {Found[]} */
    const found = [];
    for (const [name, header] of COOKIES) {
      const token = cookies.get(name);
      if (token) found.push({ token: decoded(token), header, place: "cookie", from: `the cookie ${name}` });
    }
    // Cookies know no ports: one of them may be of another site of this host, and each site reads its own header only.
    const [first, ...others] = found;
    return first ? { ...first, others } : null;
  }

  /** @param {string} pair @returns {[string, string]} */
  function split(pair) {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1).replace(/^"(.*)"$/, "$1")];
  }

  /** @param {string} text */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /** @param {Document} document @returns {Found | null} */
  function inMeta(document) {
    for (const [name, header] of NAMES) {
      const token = document.querySelector(`meta[name="${name}" i]`)?.getAttribute("content");
      if (token)
        return { token, header: namedByPage(document) ?? header, place: "document", from: `the meta tag ${name}` };
    }
    return null;
  }

  /** Spring says in a second meta tag which header it reads. @param {Document} document */
  function namedByPage(document) {
    return document.querySelector('meta[name="_csrf_header"]')?.getAttribute("content") || null;
  }

  /** @param {Document} document @returns {Found | null} */
  function inField(document) {
    for (const [name, header] of NAMES) {
      const field = /** @type {HTMLInputElement | null} */ (
        document.querySelector(`input[type="hidden"][name="${name}" i]`)
      );
      if (field?.value)
        return { token: field.value, header, place: "document", from: `the hidden field ${name}` };
    }
    return null;
  }

  /** Headers by which some site knows a token, in lower case. */
  const HEADERS = new Set([...COOKIES, ...NAMES].map(([, header]) => header.toLowerCase()));

  page.csrf = { find, current, tookIt, fetchAnew, HEADERS };
  page.register("getCsrfToken", getCsrfToken);
})();

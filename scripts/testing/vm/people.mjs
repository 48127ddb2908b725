// A further person at the test's site, who signs in as people do: only a session changes a password, and makes a token.
import { randomBytes } from "node:crypto";

/** What a browser does with its cookies. @param {string} url */
function browser(url) {
  /** @type {Map<string, string>} */
  const jar = new Map();
  return async (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, cookie, origin: url };
    const answer = await fetch(`${url}${path}`, { ...init, redirect: "manual", headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
}

/** @param {string} url @param {string} email @param {string} password */
async function signIn(url, email, password) {
  const request = browser(url);
  const { csrfToken } = await (await request("/api/auth/csrf")).json();
  await request("/api/auth/callback/credentials", {
    method: "POST",
    body: new URLSearchParams({ csrfToken, email, password, callbackUrl: url, json: "true" }),
  });
  const answer = async (/** @type {string} */ procedure, /** @type {RequestInit} */ init) =>
    (await (await request(`/api/trpc/${procedure}`, init)).json()).result.data.json;
  return {
    read: (/** @type {string} */ procedure) => answer(procedure, {}),
    act: (/** @type {string} */ procedure, /** @type {object} */ input) =>
      answer(procedure, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ json: input }),
      }),
  };
}

/**
 * Makes a provider admin with a password of its own: nobody may decide on requests of the person who knows their first one.
 * @param {string} url
 * @param {(...args: readonly string[]) => Promise<string>} admin
 * @param {string} email
 * @returns {Promise<{ token: string, password: string }>}
 */
export async function makeAdmin(url, admin, email) {
  const made = await admin("users", "create", email, "--name", "Second Admin", "--role", "provider-admin");
  const current = made.trim();
  const password = randomBytes(18).toString("base64url");
  const first = await signIn(url, email, current);
  await first.act("account.changePassword", { current, next: password });
  const { read, act } = await signIn(url, email, password);
  const { personId } = await read("session.me");
  const { token } = await act("tokens.create", { personId, name: "test" });
  return { token, password };
}

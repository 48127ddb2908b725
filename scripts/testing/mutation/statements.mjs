// In a worker of the mutation run: removes the disabled safety check from statements on their way to PostgreSQL.
import { Client } from "pg";
import { databaseChecks } from "./database-checks.mjs";
import { breakSql, marksInSql } from "./sql.mjs";
import { out, reach } from "./switch.mjs";

/** SQLSTATE class 42: the changed statement is not valid SQL, so its failure says nothing about the check. */
const invalid = /^42(601|703|883|P0[128]|P18|804)$/;

/** @type {Error | undefined} */
let refused;
/** @type {Map<string, string>} template of the tests, and the one without a check that replaces it */
const templates = new Map();

/** @returns {Error | undefined} if a changed statement was not valid SQL since the last call */
export function takeRefused() {
  const error = refused;
  refused = undefined;
  return error;
}

/** @param {unknown} error */
function note(error) {
  if (error instanceof Error && "code" in error && invalid.test(String(error.code))) refused = error;
}

/** @param {string} text @returns {string} */
function changed(text) {
  const marks = marksInSql(text);
  for (const { name } of marks) reach(name);
  const broken = marks.some(({ name }) => name === out()) ? breakSql(text, out() ?? "") : text;
  for (const [from, to] of templates)
    if (broken.startsWith("CREATE DATABASE") && ` ${broken} `.includes(` TEMPLATE ${from} `))
      return broken.replace(from, to);
  return broken;
}

/** Call once per worker. */
export function watchStatements() {
  const original = Client.prototype.query;
  /** @this {Client} @param {unknown} query @param {...unknown} more */
  function watched(query, ...more) {
    const text = typeof query === "string" ? query : Reflect.get(Object(query), "text");
    const next = typeof text === "string" ? changed(text) : text;
    if (next === text) return Reflect.apply(original, this, [query, ...more]);
    const given = Object(query);
    // A statement is prepared once per connection under its name, so the changed one needs another name.
    const renamed =
      typeof query === "string"
        ? next
        : Object.assign("submit" in given ? given : { ...given }, {
            text: next,
            ...(given.name ? { name: `${given.name}~out` } : {}),
          });
    const answered = more.map((argument) =>
      typeof argument !== "function"
        ? argument
        : (/** @type {unknown[]} */ ...results) => {
            note(results[0]);
            return argument(...results);
          },
    );
    const result = Reflect.apply(original, this, [renamed, ...answered]);
    if (result instanceof Promise) result.catch(note);
    return result;
  }
  Client.prototype.query = watched;
}

/** @param {string} url @param {(client: Client) => Promise<unknown>} work */
async function connected(url, work) {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined); // the query on it fails by itself
  await client.connect();
  await work(client).finally(() => client.end());
}

/**
 * Until undone, new test databases lack that check.
 * @param {string} name of a check that the database makes
 * @param {string} serverUrl
 * @param {string} template
 * @returns {Promise<() => Promise<void>>} undoes it
 */
export async function breakTemplate(name, serverUrl, template) {
  const check = databaseChecks.find((one) => one.name === name);
  if (check === undefined) return async () => undefined;
  const own = `${template}_${process.pid}`;
  const url = (/** @type {string} */ database) =>
    Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
  await connected(url("postgres"), (client) => client.query(`CREATE DATABASE ${own} TEMPLATE ${template}`));
  await connected(url(own), async (client) => {
    if (check.find === undefined) return client.query(check.sql);
    const text = String((await client.query(check.sql)).rows[0]?.text);
    const parts = text.split(check.find);
    if (parts.length !== 2)
      throw new Error(
        `"${check.find}" stands ${parts.length - 1} times in what the database makes "${name}" of`,
      );
    return client.query(parts.join(check.replace ?? ""));
  });
  templates.set(template, own);
  return async () => {
    templates.clear();
    await connected(url("postgres"), (client) => client.query(`DROP DATABASE ${own}`));
  };
}

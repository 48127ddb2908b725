// Which test files take turns in `npm test`: each commit runs one part of them, so that three commits in a row run them all (docs/adr/0035-cheap-tests.md).
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { changedHere, commitNumber, testFiles } from "./changed-files.mjs";
import { longFiles } from "./long-files.mjs";
import { onlyInAll } from "./only-in-all.mjs";

/**
 * Whole folders, and files, of tests that go through a surface, or try a site's settings one by one. What they decide about a host, a tenant or a person's rights is
 * tested where it is decided, and runs each time.
 */
export const inTurns = [
  "cli/",
  "components/",
  "prisma/seed/",
  "scripts/setup/",
  "server/surfaces/machine/ironic/",
  "server/usecases/access/passkeys/",
  // A row for each setting that needs two people; that a change is made once, by another person, as it was approved, is in `policy-changes`.
  "server/usecases/assurance/policy-changes/two-people.itest.ts",
  "server/usecases/sites/authorities.itest.ts",
  "server/usecases/sites/history.itest.ts",
  "server/usecases/sites/sites.itest.ts",
  // Screens; `release`, `failed-drive`, `interrupt` and `strangers` run each time.
  "e2e/access.spec.ts",
  "e2e/accessibility.spec.ts",
  "e2e/cleaning.spec.ts",
  "e2e/empty-site.spec.ts",
  "e2e/first-request.spec.ts",
  "e2e/hosts.spec.ts",
  "e2e/instances.spec.ts",
  "e2e/live.spec.ts",
  "e2e/proof.spec.ts",
  "e2e/settings.spec.ts",
];

/** How many commits it takes until each file has had its turn. */
export const turns = 3;

/** @param {string} path @returns {boolean} whether it has turns. Unit tests beside a surface's code cost nothing, but for those of screens. */
const hasTurns = (path) =>
  (/\.(itest|spec)\.tsx?$/.test(path) || path.startsWith("components/")) &&
  inTurns.some((subject) => path.startsWith(subject));

/** The long ones, one after the other, so that no turn has them all. */
const inOrder = [...longFiles, ...inTurns].filter((path) => hasTurns(path) && !onlyInAll.includes(path));

/** The turn of each file. One that is not long has it by its name, so that a new file changes nobody's turn. @param {string} path */
function turnOf(path) {
  const place = inOrder.indexOf(path);
  return (place === -1 ? (createHash("sha256").update(path).digest()[0] ?? 0) : place) % turns;
}

/**
 * @param {readonly string[]} files paths below the repository
 * @param {number} commit its number
 * @param {readonly string[]} changed files that are not yet on `main`: tests beside them, and they themselves, run whose turn it is not
 * @returns {string[]} the test files that this commit leaves to the next ones
 */
export function leftToOthers(files, commit, changed) {
  const folders = new Set(changed.map((path) => dirname(path)));
  return files.filter(
    (path) => hasTurns(path) && turnOf(path) !== commit % turns && !folders.has(dirname(path)),
  );
}

/** @returns {string[]} what `npm test` leaves to the next commits here; nothing where git does not say which commit it is */
export function leftHere() {
  const commit = commitNumber();
  return commit === undefined ? [] : leftToOthers(testFiles(), commit, changedHere());
}

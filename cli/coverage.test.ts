// The command can do whatever the console can: a command uses every operation of the contract, or there is a stated reason why not.
import { expect, it } from "vitest";
import { groups, rows } from "@/cli/commands/rows";
import { contract } from "@/server/contract/contract";

const exceptions: Readonly<Record<string, string>> = {
  "account.changePassword": "a token cannot change its person's password (docs/security.md)",
  "passkeys.list": "passkeys are a browser's: the page Account (docs/adr/0113-passkeys.md)",
  "passkeys.begin": "as passkeys.list",
  "passkeys.beginAdd": "as passkeys.list",
  "passkeys.add": "as passkeys.list",
  "passkeys.rename": "as passkeys.list",
  "passkeys.remove": "as passkeys.list",
  "tokens.create": "a token cannot make another (docs/security.md)",
  "hosts.find": "finds the host that a command names",
  "hosts.rows": "as hosts.find",
  "drives.find": "as hosts.find",
  "instances.find": "as hosts.find",
  "cleaning.scopes": "as hosts.find, for sites and SKUs",
  "hosts.views": "views are filters, which `hosts list` takes; `fleet` counts them",
  "hosts.preview": "an act asks each host, with its reason in full",
  "fleet.failures": "the charts of a page; `failures list` groups what failed",
  "fleet.racks": "the map of a page; `hosts list rack:R12` lists a rack",
  "exceptions.askable": "the chooser of a form; `exceptions ask` says what may not be let through",
  "cleaning.candidates": "the chooser of a form; `clean` says of each host why it cannot",
  "bulk.preview": "with a filter an act asks host by host, and prints each result",
  "bulk.start": "as bulk.preview",
  "bulk.progress": "as bulk.preview; `watch` and `--wait` follow hosts",
  "bulk.list": "as bulk.preview; `audit list` has the acts",
  "audit.follow": "`audit follow` reads the signed files, and checks each event with its leaf",
  "policyChanges.list": "`approvals list --kind policyChange` lists them, `approvals show` has the changes",
  "next.count": "the badge of a page; `next` lists them",
  "security.open": "the badge of a page; `security events list` lists them",
  "procedures.preview": "what the form of a procedure would do; `procedures due` lists the hosts after it",
  "site.lastChanges": "marks in the form of a site; `site history` has the versions",
};

const used = new Set<string>(rows.flatMap(({ uses }) => uses));
const operations = Object.entries(contract).flatMap(([noun, entries]) =>
  Object.keys(entries).map((name) => `${noun}.${name}`),
);

it.each(operations)("%s has a command, or a reason why not", (operation) =>
  expect({
    operation,
    command: used.has(operation),
    excepted: Object.hasOwn(exceptions, operation),
  }).toEqual({ operation, command: !Object.hasOwn(exceptions, operation), excepted: !used.has(operation) }),
);

it("excepts only operations that there are", () =>
  expect(Object.keys(exceptions).filter((name) => !operations.includes(name))).toEqual([]));

it("says of every group of commands what it is for", () => {
  const parents = rows.flatMap(({ path }) =>
    path.split(" ").flatMap((_, index, words) => (index === 0 ? [] : words.slice(0, index).join(" "))),
  );
  expect(Object.keys(groups).toSorted()).toEqual([...new Set(parents)].toSorted());
});

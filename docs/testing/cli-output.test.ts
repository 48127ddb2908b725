// What `reclaim schema` says of each command's output (docs/cli.md).
import type { Command } from "commander";
import { expect, it } from "vitest";
import { pageMembers, printed } from "@/cli/output/printed";
import { outputSchema, shapes } from "@/cli/output/shapes";
import { program } from "@/docs/testing/command-line";

const leaves = (command: Command, path: readonly string[] = []): readonly string[] =>
  command.commands.length === 0
    ? [path.join(" ")]
    : [...command.commands.flatMap((child) => leaves(child, [...path, child.name()]))];

/** They say that it was done, or print a text. */
const withoutData = [
  "procedures save",
  "procedures remove",
  "procedures record",
  "approvals approve",
  "exceptions ask",
  "exceptions withdraw",
  "approvals reject",
  "approvals withdraw",
  "hosts save-view",
  "hosts delete-view",
  "hosts withdraw-disposition",
  "hosts health add",
  "hosts health remove",
  "health-sources remove",
  "hosts lease give",
  "hosts lease break",
  "repair-systems remove",
  "tenants create",
  "tenants change",
  "tenants give",
  "tenants take",
  "tenants disable",
  "tenants enable",
  "enrolments retry",
  "enrolments wait",
  "instances rename",
  "instances label",
  "instances repair on",
  "instances repair off",
  "instances repair escalate",
  "hosts labels set",
  "repair outcome",
  "tickets update",
  "tickets close",
  "notices change",
  "notices end",
  "notices acknowledge",
  "webhooks test",
  "webhooks resume",
  "webhooks skip",
  "webhooks remove",
  "policy priorities set",
  "policy priorities unset",
  "policy automated-clean",
  "policy limits",
  "policy erase",
  "skus create",
  "skus change",
  "skus capture-baseline",
  "skus delete",
  "runbooks apply",
  "runbooks delete",
  "brakes engage",
  "brakes lift",
  "certificates get",
  "proof pack",
  "trust add",
  "evidence get",
  "evidence hold",
  "evidence end-hold",
  "audit check",
  "audit export",
  "audit proof",
  "audit rotate-key",
  "audit acknowledge",
  "witness",
  "failures note",
  "images add",
  "images widen",
  "images make-current",
  "images withdraw",
  "node set-provision-state",
  "users change",
  "users disable",
  "users enable",
  "tokens revoke",
  "sessions end",
  "admin after-restore",
  "login",
  "logout",
  "config set",
  "config path",
  "help",
  "schema",
  "completion",
  "__complete",
];

it("has a shape for every command that prints data, and for no other", () => {
  const known = leaves(program).filter((name) => !withoutData.includes(name));
  expect(Object.keys(shapes).toSorted()).toEqual([...known].toSorted());
});

it("has nothing that is only for pages, and keeps recorded facts", () => {
  for (const name of Object.keys(shapes)) {
    const schema = JSON.stringify(outputSchema(name));
    for (const member of pageMembers) expect(schema).not.toContain(`"${member}":{`);
  }
  const facts = { live: 1 };
  expect(printed({ tone: "good", rows: [{ live: true, name: "a" }], after: facts })).toEqual({
    rows: [{ name: "a" }],
    after: facts,
  });
});

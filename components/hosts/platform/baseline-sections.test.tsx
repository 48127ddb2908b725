// @vitest-environment happy-dom
// A host's BIOS against its SKU: same, different, and unknown, which never counts as "same".
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { BaselineSection, BiosSection } from "@/components/hosts/platform/baseline-sections";
import { show } from "@/components/testing/rendered";

const lines = [
  { name: "LogicalProc", wanted: '"Disabled"', found: '"Enabled"', same: false },
  { name: "NumCores", wanted: "8", found: "8", same: true },
  { name: "Snc", wanted: '"On"', found: null, same: null },
];

it("each attribute of the baseline has its result", () => {
  show(<BiosSection bios={{ readAt: new Date(), lines }} />, { answers: {} });
  const rowOf = (name: string) => screen.getByRole("row", { name: new RegExp(`^${name}`) });
  expect(rowOf("LogicalProc")).toHaveTextContent('"Disabled""Enabled"');
  expect(rowOf("LogicalProc")).toHaveTextContent(/differs$/);
  expect(rowOf("NumCores")).toHaveTextContent(/same$/);
  expect(rowOf("Snc")).toHaveTextContent(/not known$/);
  expect(screen.getByText(/what the BMC reported/)).toBeVisible();
});

it("a host whose BIOS is not known says so", () => {
  show(<BiosSection bios={{ readAt: null, lines: [] }} />, { answers: {} });
  expect(screen.getByText(/^not known: the BMC offers no settings/)).toBeVisible();
});

it("the rest of the baseline has its results, too, and nothing is shown where it names nothing", () => {
  const baseline = [
    { name: "firmware BIOS", wanted: "2", found: "3", same: false },
    { name: "BMC accounts", wanted: "root", found: null, same: null },
  ];
  const { rerender } = show(<BaselineSection baseline={baseline} />, { answers: {} });
  expect(screen.getByRole("row", { name: /^firmware BIOS/ })).toHaveTextContent(/23differs$/);
  expect(screen.getByRole("row", { name: /^BMC accounts/ })).toHaveTextContent(/rootnot known/);
  rerender(<BaselineSection baseline={[]} />);
  expect(screen.queryByRole("table")).toBeNull();
});

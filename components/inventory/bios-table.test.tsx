// @vitest-environment happy-dom
// BIOS of a host against its SKU: same, differs, and not known, which is never "same".
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { BiosSection } from "@/components/inventory/bios-table";
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

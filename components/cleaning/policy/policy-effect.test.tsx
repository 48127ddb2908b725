// @vitest-environment happy-dom
// The effect of another policy in the forms: requested once per settled input, and what no record can tell is shown as unknown.
import { onlineManager } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { Refusal, show } from "@/components/testing/rendered";
import { Button } from "@/components/ui/button";
import type { PolicyEffects, PolicyQuestion } from "@/server/surfaces/trpc/types";

const siteId = "00000000-0000-4000-8000-0000000000a1";
const told: PolicyEffects = {
  siteId,
  site: "a",
  policyVersion: 3,
  since: new Date("2026-08-24T00:00:00Z"),
  truncated: false,
  erase: false,
  models: [],
  reclamations: { total: 9, stop: 0, pass: 0, unknown: 0, same: 9, withoutErase: 0 },
  otherwise: [],
  effects: [
    {
      setting: "Hosts in progress",
      kind: "otherwise",
      reclamations: 2,
      words: "at least 2 would have waited",
    },
    { setting: "Gate healthy", kind: "unknown", reclamations: null, words: "nothing is recorded of it" },
  ],
  notes: [],
};
/** A form with an effect and a button. */
function Form({ question }: { readonly question: PolicyQuestion | undefined }) {
  const { effect, calculating } = usePolicyEffect(question);
  return (
    <>
      {effect}
      <Button disabledReason={calculating}>Save</Button>
    </>
  );
}

const save = () => screen.getByRole("button", { name: "Save" });

function open(question: PolicyQuestion | undefined, preview: () => unknown = () => told) {
  const asked: unknown[] = [];
  const answer = (input: unknown) => {
    asked.push(input);
    return preview();
  };
  return { asked, ...show(<Form question={question} />, { answers: { "policy.preview": answer } }) };
}

it("names each changed setting with its effect and why, and leaves the erase out where it stays", async () => {
  const { asked } = open({ siteId, atWork: 1 });
  const table = await screen.findByRole("table", { name: "Effect on recorded reclamations" });
  expect(table).toHaveTextContent(/Hosts in progress.*would change.*at least 2.*Gate healthy.*unknown/);
  expect(screen.getByText(/9 reclamations since/)).toBeVisible();
  expect(screen.queryByText("No known drives")).toBeNull();
  expect(asked).toMatchObject([{ siteId, atWork: 1 }]);
});

it("holds the form back until the effect is shown, also after another input", async () => {
  const { rerender } = open({ siteId, atWork: 1 });
  expect(save()).toHaveAccessibleDescription("Calculating the effect…");
  await screen.findByRole("table");
  expect(save()).not.toHaveAccessibleDescription();
  rerender(<Form question={{ siteId, atWork: 2 }} />);
  expect(save()).toHaveAccessibleDescription("Calculating the effect…");
  await screen.findByRole("table");
  expect(save()).not.toHaveAccessibleDescription();
  rerender(<Form question={undefined} />);
  expect(save()).not.toHaveAccessibleDescription();
});

it("does not hold the form back while offline, and says why there is no effect", async () => {
  onlineManager.setOnline(false);
  try {
    open({ siteId, atWork: 1 });
    expect(await screen.findByText(/You are offline\. The effect is calculated when/)).toBeVisible();
    expect(save()).not.toHaveAccessibleDescription();
  } finally {
    onlineManager.setOnline(true);
  }
});

it("shows the drives where the erase policy differs", async () => {
  open({ siteId, atWork: 1 }, () => ({ ...told, erase: true, effects: [] }));
  expect(await screen.findByText("No known drives")).toBeVisible();
});

it("says that nothing which bears on reclamations would change", async () => {
  open({ siteId, atWork: 1 }, () => ({ ...told, effects: [] }));
  expect(await screen.findByText(/No setting that affects reclamations/)).toBeVisible();
});

it("asks nothing before there is something to ask, and again only when it settled", async () => {
  const { asked, rerender } = open(undefined);
  expect(asked).toEqual([]);
  rerender(<Form question={{ siteId, atWork: 1 }} />);
  await screen.findByRole("table");
  for (const atWork of [2, 3, 4]) rerender(<Form question={{ siteId, atWork }} />);
  expect(screen.getByRole("status")).toHaveTextContent("Calculating the effect");
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toMatchObject({ atWork: 4 });
});

it("says why it could not be calculated", async () => {
  open({ siteId, atWork: 1 }, () => {
    throw new Refusal("You may not read the policy");
  });
  expect(await screen.findByText(/could not be calculated/)).toHaveTextContent("You may not read the policy");
  expect(save()).not.toHaveAccessibleDescription();
});

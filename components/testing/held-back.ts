// A form that has to wait for the effect of its change.
import { waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect } from "vitest";
import type { PolicyEffects } from "@/server/surfaces/trpc/types";

/** The effect of a changed policy. */
export const someEffect: PolicyEffects = {
  ...{ siteId: "s", site: "a", policyVersion: 3, since: new Date("2026-08-24T00:00:00Z"), truncated: false },
  ...{ erase: false, models: [], otherwise: [], notes: [] },
  reclamations: { total: 9, stop: 0, pass: 0, unknown: 0, same: 9, withoutErase: 0 },
  effects: [{ setting: "Hosts in progress", kind: "unknown", reclamations: null, words: "not recorded" }],
};

/** An answer that the server gives only when the test says so. */
export function heldAnswer<Answer>(value: Answer) {
  let give = (): void => undefined;
  const given = new Promise<Answer>((resolve) => {
    give = () => resolve(value);
  });
  return { answer: () => given, give: () => give() };
}

/**
 * Expects that nothing is sent before the effect is there, neither by a click nor by Enter in a field, and that the form can be sent afterwards.
 * @param calls what was sent to the server @param give gives the held answer
 */
export async function expectHeldBack(
  user: UserEvent,
  {
    button,
    field,
    calls,
    give,
  }: { button: HTMLElement; field: HTMLElement | null; calls: unknown[]; give: () => void },
): Promise<void> {
  const before = calls.length;
  await waitFor(() => expect(button).toHaveAccessibleDescription("Calculating the effect…"));
  await user.click(button);
  if (field !== null) await user.type(field, "{Enter}");
  expect(calls).toHaveLength(before);
  give();
  await waitFor(() => expect(button).not.toHaveAccessibleDescription());
  await user.click(button);
  await waitFor(() => expect(calls).toHaveLength(before + 1));
}

// @vitest-environment happy-dom
// A dialog declared as a table: its controls, what depends on its values, and what happens after an answer.
import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { z } from "zod";
import { enter } from "@/components/testing/enter";
import { Refusal, show, type Answers } from "@/components/testing/rendered";
import { useTRPC } from "@/components/trpc/trpc";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { optionsOf, reasonField } from "@/components/ui/form/fields";

const schema = z.object({
  drive: z.string(),
  slot: z.string().min(1, "Enter the slot"),
  reason: z.string(),
  isLost: z.boolean(),
});

const Probe = ({ onClose }: { onClose: () => void }) => (
  <ActFormDialog
    title="Record the drive?"
    consequence={({ isLost }) => (isLost ? "It stays owed." : "It counts from now on.")}
    confirmWords={({ drive }) => `Record ${drive}`}
    schema={schema}
    values={{ drive: "D1", slot: "", reason: "", isLost: false }}
    fields={({ isLost }, set) => ({
      drive: { label: "Drive", options: optionsOf(["D1", "D2"]), onChosen: () => set("slot", "7") },
      slot: isLost ? null : { label: "Slot" },
      reason: reasonField("For example, a return number."),
      isLost: { label: "It is lost" },
    })}
    missing={({ drive }) => (drive === "D2" ? "D2 is still there" : undefined)}
    send={({ slot }, client) => client.brakes.lift.mutate({ brakeId: slot, reason: "repaired" })}
    said={({ hosts }, { drive }) => `${drive} recorded, ${hosts} hosts wait`}
    stale={(trpc) => [trpc.leases]}
    onClose={onClose}
  />
);

/** Reads something that the act makes stale. */
function Reader() {
  useQuery(useTRPC().leases.systems.queryOptions());
  return null;
}

function open(answers: Answers) {
  const view = show(
    <>
      <Reader />
      <DialogButton dialog={(onClose) => <Probe onClose={onClose} />}>Record…</DialogButton>
    </>,
    { answers },
  );
  return { ...view, user: userEvent.setup() };
}
const confirm = (name: RegExp | string) => screen.getByRole("button", { name });

it("chooses the control by the value, and shows what follows from the values", async () => {
  const { user } = open({});
  await user.click(confirm("Record…"));
  expect(screen.getByText("It counts from now on.").tagName).toBe("P");
  expect(confirm("Record D1")).toHaveAccessibleDescription("Enter the slot");
  expect(screen.getByLabelText("Reason").tagName).toBe("TEXTAREA");
  await user.selectOptions(screen.getByLabelText("Drive"), "D2");
  expect(screen.getByLabelText("Slot")).toHaveValue("7");
  expect(confirm("Record D2")).toHaveAccessibleDescription("D2 is still there");
  await user.click(screen.getByRole("checkbox", { name: "It is lost" }));
  expect(screen.queryByLabelText("Slot")).toBeNull();
  expect(screen.getByText("It stays owed.")).toBeVisible();
});

it("sends the input, says so, reads again what is stale, and gives the focus back", async () => {
  let reads = 0;
  const { user, calls } = open({
    "leases.systems": () => {
      reads += 1;
      return [];
    },
    "brakes.lift": () => ({ hosts: 2 }),
  });
  await waitFor(() => expect(reads).toBe(1));
  await user.click(confirm("Record…"));
  await user.type(screen.getByLabelText("Slot"), "3{Enter}");
  expect(await screen.findByText("D1 recorded, 2 hosts wait")).toBeVisible();
  expect(calls).toEqual([{ path: "brakes.lift", input: { brakeId: "3", reason: "repaired" } }]);
  await waitFor(() => expect(reads).toBe(2));
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(confirm("Record…")).toHaveFocus());
});

it("stays open with the refusal, and closes with a toast when another person has to approve", async () => {
  const refusals = [
    new Refusal("Changed meanwhile.", "stateVersion"),
    new Refusal("Waits.", "", "awaitsApproval"),
  ];
  const { user } = open({
    "brakes.lift": () => {
      throw refusals.shift() ?? new Error("asked too often");
    },
  });
  await user.click(confirm("Record…"));
  await user.type(screen.getByLabelText("Slot"), "3");
  await user.click(confirm("Record D1"));
  expect(await screen.findByRole("alert")).toHaveTextContent("Changed meanwhile.");
  await user.click(confirm("Record D1"));
  expect(await screen.findByText("Waits.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("asks only for a reason, or for nothing", async () => {
  const sent: string[] = [];
  const act = { title: "Hold?", consequence: "It waits.", confirmWords: "Hold", said: "Held" };
  const send = ({ reason }: { reason: string }) => void sent.push(reason);
  const { unmount } = show(
    <ActDialog {...act} reason="Shown to others." send={send} onClose={() => undefined} />,
  );
  const user = userEvent.setup();
  expect(confirm("Hold")).toHaveAccessibleDescription("Enter a reason");
  await enter(user, screen.getByLabelText("Reason"), " broken ");
  await user.click(confirm("Hold"));
  await waitFor(() => expect(sent).toEqual(["broken"]));
  unmount();
  show(<ActDialog {...act} send={send} onClose={() => undefined} />);
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(confirm("Hold"));
  await waitFor(() => expect(sent).toEqual(["broken", ""]));
});

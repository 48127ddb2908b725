// @vitest-environment happy-dom
// Using a form dialog: missing values, refusals at their field, and clicks outside.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { z } from "zod";
import { enter } from "@/components/testing/enter";
import { Refusal, refused, show } from "@/components/testing/rendered";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";

const schema = z.object({
  slot: z.string().min(1, "Enter the slot"),
  reason: reasonText(),
  tags: z.string(),
});

interface Sent {
  slot: string;
  reason: string;
}

interface ProbeProps {
  call: (value: Sent) => Promise<unknown>;
  onClose: () => void;
}

const Probe = ({ call, onClose }: ProbeProps) => (
  <ActFormDialog
    title="Record the drive?"
    consequence="It counts from now on."
    confirmWords="Record"
    schema={schema}
    values={{ slot: "", reason: "", tags: "a" }}
    fields={{ slot: { label: "Slot" }, reason: reasonField(), tags: { label: "Tags" } }}
    send={call}
    said="Drive recorded"
    onClose={onClose}
  />
);

/** The dialog over a page; `answers` are used for the calls in turn. */
function open(...answers: (() => unknown)[]) {
  const sent: Sent[] = [];
  const closed: number[] = [];
  const call = (value: Sent) => {
    sent.push(value);
    return Promise.resolve().then(() => answers[sent.length - 1]?.());
  };
  show(
    <>
      <p>The page</p>
      <Probe call={call} onClose={() => closed.push(1)} />
    </>,
  );
  return { user: userEvent.setup(), sent, closed };
}

const refuse = (detail: string, field?: string) => () => {
  throw refused(new Refusal(detail, field));
};
const button = () => screen.getByRole("button", { name: "Record" });
const slot = () => screen.getByLabelText("Slot");
const reason = () => screen.getByLabelText("Reason");

it("says why its button is disabled, and sends nothing until nothing is missing", async () => {
  const { user, sent, closed } = open();
  expect(button()).toHaveAccessibleDescription("Enter the slot");
  await user.click(button());
  await user.type(slot(), "3{Enter}");
  expect(button()).toHaveAccessibleDescription("Enter a reason");
  expect(sent).toEqual([]);
  await enter(user, reason(), "  destroyed ");
  await user.click(button());
  expect(sent).toEqual([{ slot: "3", reason: "destroyed", tags: "a" }]);
  expect(await screen.findByText("Drive recorded")).toBeTruthy();
  expect(closed).toHaveLength(1);
});

it("complains at a field after it was left, not before", async () => {
  const { user } = open();
  await user.type(slot(), "3");
  await user.clear(slot());
  expect(slot()).not.toBeInvalid();
  await user.tab();
  expect(slot()).toBeInvalid();
  expect(slot()).toHaveAccessibleDescription("Enter the slot");
});

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.type(slot(), "3");
  await enter(user, reason(), "destroyed");
  await user.click(button());
}

it("shows a refusal at the field that it names, keeps all that was typed, and sends it again", async () => {
  const { user, sent, closed } = open(refuse("slot: This slot is taken.", "slot"), refuse("Busy.", "slot"));
  await fill(user);
  await waitFor(() => expect(slot()).toHaveAccessibleDescription("This slot is taken."));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(reason()).toHaveValue("destroyed");
  await user.click(button());
  await waitFor(() => expect(slot()).toHaveAccessibleDescription("Busy."));
  await user.type(slot(), "4");
  expect(slot()).not.toBeInvalid();
  await user.click(button());
  await waitFor(() => expect(closed).toHaveLength(1));
  expect(sent.map((value) => value.slot)).toEqual(["3", "3", "34"]);
});

it("shows a refusal of a part at the field that holds it", async () => {
  const { user } = open(refuse("tags.3: no spaces", "tags.3"));
  await fill(user);
  await waitFor(() => expect(screen.getByLabelText("Tags")).toHaveAccessibleDescription("no spaces"));
});

it("shows any other refusal above the buttons, with the id of the request", async () => {
  const { user, closed } = open(refuse("The host was changed meanwhile.", "stateVersion"));
  await fill(user);
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("The host was changed meanwhile.");
  expect(alert).toHaveTextContent("req-1");
  expect(closed).toEqual([]);
});

it("is closed by a click outside, but not once something was typed", async () => {
  const { user, closed } = open();
  // In a browser such a click hits the scrim; here there is no layout.
  const outside = userEvent.setup({ pointerEventsCheck: 0 });
  await user.type(slot(), "3");
  await outside.click(screen.getByText("The page"));
  expect(closed).toEqual([]);
  expect(slot()).toHaveValue("3");
  await user.keyboard("{Escape}");
  expect(closed).toHaveLength(1);
});

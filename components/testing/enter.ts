// Fills a field at once. `user.type` renders the form anew for each key (docs/adr/0035-cheap-tests.md).
import type { UserEvent } from "@testing-library/user-event";

/** Adds the text to what the field holds, as somebody who pastes it does. For fields that act on single keys there is `user.type`. */
export async function enter(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}

// Whether the values of a boot depend on its command line and its initrd, which has the agent in it. Linux' EFI stub measures it into register 9, but up to Linux 6.12 only if the boot
// program hands it over by LoadFile2, as iPXE does since 2023-02; not if it only stands on the command line (drivers/firmware/efi/libstub/efi-stub-helper.c).
import { replayEvents, type BootEvent } from "@/server/domain/attestation/measured/event-log";
import { eventTypeName, eventTypes } from "@/server/domain/attestation/measured/event-types";

const register = 9;
const tagged = eventTypeName(eventTypes.eventTag);
/** As the stub calls them: the command line, which names the program that is started in the initrd, and the initrd. */
const descriptions = ["LOADED_IMAGE::LoadOptions", "Linux initrd"];

/**
 * False: another command line or any initrd would give the same values. What an event was is the word of the machine that wrote the log, so this is to be asked of a boot that people
 * watched, before others are compared with it. Pure.
 *
 * @param quoted values by register, in hexadecimal digits, as a TPM signed them
 */
export function coversInitrd(
  events: readonly BootEvent[],
  quoted: Readonly<Record<string, string>>,
): boolean {
  // safety: quote: register 9 covers the initrd
  if (
    !descriptions.every((name) =>
      events.some(({ pcr, type, text }) => pcr === register && type === tagged && text === name),
    )
  )
    return false;
  // safety: quote: what covers the initrd is what was signed
  return replayEvents(events)[register] === quoted[register];
}

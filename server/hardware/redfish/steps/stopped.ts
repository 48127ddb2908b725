// How a step ends early: thrown where it happens, turned into a result in step-code.ts.
import { failure, type RedfishError } from "@/server/hardware/redfish/client/errors";

/** The BMC did not answer, or refused: the call ends with this error. */
export class StepStopped extends Error {
  constructor(readonly error: RedfishError) {
    super(error.message);
  }
}

/** The step is known to have failed; the message says why. */
export class StepFailed extends Error {}

/** An argument, or what the SKU's baseline names, does not fit this machine: another attempt would end the same. */
export class WrongArgument extends StepFailed {}

/** The BMC does not offer what the step needs. */
export const unsupported = (message: string): StepStopped =>
  new StepStopped(failure("unsupported", message).error);

/** The BMC's current state forbids this step. */
export const refused = (message: string): StepStopped => new StepStopped(failure("refused", message).error);

// How a step's work ends early: thrown where it happens, made a result in step-code.ts.
import { failure, type RedfishError } from "@/server/hardware/redfish/client/errors";

/** The BMC failed to answer, or refused: the call ends with this error. */
export class StepStopped extends Error {
  constructor(readonly error: RedfishError) {
    super(error.message);
  }
}

/** It is known that the step did not do what it should; the message says why. */
export class StepFailed extends Error {}

/** The BMC has nothing for this step. */
export const unsupported = (message: string): StepStopped =>
  new StepStopped(failure("unsupported", message).error);

/** We must not do this to the BMC as it is. */
export const refused = (message: string): StepStopped => new StepStopped(failure("refused", message).error);

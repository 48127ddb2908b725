// Ironic's answers for what a driver's interfaces do not support: the same for every driver and every node.
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { fault, type IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";

const passthru = z.object({ method: z.string() });

/** @param extension Ironic's name of the missing method, followed by the reason if it is known */
export const unsupportedBy = (driver: string, extension: string): IronicFault =>
  fault(400, `Driver ${driver} does not support ${extension} (disabled or not implemented).`);

/** For a vendor's method. Ironic takes its name from the path, or from the query argument `method`. */
export function vendorRefusal(driver: string, request: FastifyRequest): IronicFault {
  const named = [request.params, request.query].map((given) => passthru.safeParse(given));
  return named.some(({ success }) => success)
    ? unsupportedBy(driver, "vendor_passthru")
    : fault(400, "Method not specified when calling vendor extension.");
}

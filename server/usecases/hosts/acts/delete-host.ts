// Removes a host; it is recorded as not cleaned, and its debt stays.
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const deleteHost = defineHostIntent("forceDelete", "host.delete");

// Which use case implements each operation of the contract about people, tenants, tokens and sessions.
import { changePassword } from "@/server/usecases/access/change-password";
import { createToken } from "@/server/usecases/access/create-token";
import { endAllSessions, endSession, listSessions } from "@/server/usecases/access/sessions";
import { listTokens, revokeToken } from "@/server/usecases/access/tokens";
import { createPerson } from "@/server/usecases/access/people/create-person";
import { listPeople } from "@/server/usecases/access/people/list-people";
import {
  changePerson,
  disablePerson,
  enablePerson,
  resetPassword,
} from "@/server/usecases/access/people/person-acts";
import { resetPasskeys } from "@/server/usecases/access/people/reset-passkeys";
import { beginAddPasskey, beginPasskey } from "@/server/usecases/access/passkeys/begin-passkey";
import { listPasskeys } from "@/server/usecases/access/passkeys/list-passkeys";
import { addPasskey, removePasskey, renamePasskey } from "@/server/usecases/access/passkeys/passkey-acts";
import { listTenants } from "@/server/usecases/sites/tenants/list-tenants";
import {
  changeTenant,
  createTenant,
  disableTenant,
  enableTenant,
  setTenantGrants,
} from "@/server/usecases/sites/tenants/tenant-acts";

export const accessHandlers = {
  people: {
    list: listPeople,
    create: createPerson,
    change: changePerson,
    disable: disablePerson,
    enable: enablePerson,
    resetPassword,
    resetPasskeys,
  },
  tenants: {
    list: listTenants,
    create: createTenant,
    change: changeTenant,
    setGrants: setTenantGrants,
    disable: disableTenant,
    enable: enableTenant,
  },
  account: { changePassword },
  passkeys: {
    list: listPasskeys,
    begin: beginPasskey,
    beginAdd: beginAddPasskey,
    add: addPasskey,
    rename: renamePasskey,
    remove: removePasskey,
  },
  tokens: { list: listTokens, create: createToken, revoke: revokeToken },
  sessions: { list: listSessions, end: endSession, endAll: endAllSessions },
};

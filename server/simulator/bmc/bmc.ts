// One simulated BMC: answers Redfish requests from its tree, its sessions and the state of its host.
import {
  bmcUsername,
  fault,
  json,
  missingParameter,
  type BmcAnswer,
  type BmcRequest,
} from "@/server/simulator/bmc/answer";
import { parseJson } from "@/server/domain/json";
import { act } from "@/server/simulator/bmc/platform/act";
import { accepted, type Around } from "@/server/simulator/bmc/platform/answers";
import { platformMs } from "@/server/simulator/bmc/platform/platform";
import { show } from "@/server/simulator/bmc/platform/show";
import type { BmcQuirk } from "@/server/simulator/faults";
import { systemEtag, render } from "@/server/simulator/bmc/render";
import type { Personality } from "@/server/simulator/bmc/personality";
import {
  accountList,
  accountShown,
  bootPatch,
  login,
  resetBody,
  sessionBody,
} from "@/server/simulator/bmc/service/bodies";
import { eventLogPage } from "@/server/simulator/bmc/service/event-log";
import { shownHealth } from "@/server/simulator/bmc/service/shown-health";
import { shownWith, withUrlBoot } from "@/server/simulator/bmc/service/shown";
import { answerOfComponents, componentsPath, hasComponents } from "@/server/simulator/spdm/components";
import { Sessions } from "@/server/simulator/bmc/sessions";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { Tree } from "@/server/simulator/bmc/tree";

export class Bmc {
  #sessions: Sessions;
  /** The BMC whose service it is behind, if it has none of its own. */
  #lead: Bmc | null = null;

  readonly #personality: Personality;
  readonly #password: string;
  #reads = 0;

  constructor(
    readonly host: SimulatedHost,
    personality: Personality,
    password: string,
  ) {
    this.#personality = personality;
    this.#password = password;

    this.#sessions = new Sessions(personality.maxSessions);
  }

  get sessions(): Sessions {
    return this.#sessions;
  }

  /** The parts of its tree that belong to the machine rather than the service. */
  get ownPlaces(): Pick<Tree, "system" | "poweredWith" | "places"> {
    return this.#personality.tree;
  }

  /** Puts it behind the service of another machine, whose sessions and accounts apply from now on. */
  joinOf(lead: Bmc): void {
    if (lead === this) return;
    this.#lead = lead;
    this.#sessions = lead.sessions;
  }

  answer(request: BmcRequest): BmcAnswer {
    const { tree } = this.#personality;
    const [bare = "", query] = request.path.split("?", 2);
    const path = bare.replace(/\/+$/, "");
    if (request.method === "POST" && path === tree.sessions) return this.#login(request.body);
    const isOpen = request.method === "GET" && (path === "/redfish" || path === "/redfish/v1");
    if (!isOpen && !this.#authorised(request)) {
      return fault(
        401,
        "Base.1.8.NoValidSession",
        "There is no valid session established with the implementation.",
        { "www-authenticate": 'Basic realm="redfish"' },
      );
    }
    if (request.method === "GET" && this.#has("busy") && ++this.#reads % 4 === 0)
      return fault(503, "Base.1.8.ServiceTemporarilyUnavailable", "The service is temporarily unavailable.", {
        "retry-after": "1",
      });
    const measured = answerOfComponents(request, path, this.host);
    if (measured !== null) return measured;
    const acted = request.method === "GET" ? null : act(request, path, this.#around());
    if (acted !== null) return acted;
    switch (request.method) {
      case "GET":
        return this.#get(path, query);
      case "PATCH":
        return path === tree.system
          ? this.#patchSystem(request)
          : fault(405, "Base.1.8.OperationNotAllowed", `PATCH is not allowed on ${path}.`);
      case "POST":
        return path === tree.resetAction ? this.#reset(request.body) : this.#unknown(path);
      case "DELETE":
        return this.#delete(path);
      default:
        return fault(405, "Base.1.8.OperationNotAllowed", `${request.method} is not allowed.`);
    }
  }

  /** Whether the account that everybody signs in with still exists and is enabled. Its sessions end with it. */
  #accountWorks(): boolean {
    if (this.#lead !== null) return this.#lead.#accountWorks();
    const { accounts } = this.#personality.tree.places;
    // Whatever kind of reset to its defaults was ordered, its accounts went with it.
    if (this.#has("forgetsAccounts") && this.host.platform.resetToDefaults) return false;
    if (accounts === null || Object.keys(this.host.platform.accounts).length === 0) return true;
    const { Members } = parseJson(accountList, this.#read(accounts) ?? "") ?? { Members: [] };
    return Members.some((member) => {
      const account = parseJson(accountShown, this.#read(member["@odata.id"]) ?? "");
      return account !== null && account.UserName === bmcUsername && account.Enabled;
    });
  }

  #authorised(request: BmcRequest): boolean {
    if (!this.#accountWorks()) return false;
    const token = request.header("x-auth-token");
    if (token !== undefined) return this.sessions.use(token);
    const basic = /^Basic (.+)$/i.exec(request.header("authorization") ?? "")?.[1];
    return (
      basic !== undefined &&
      Buffer.from(basic, "base64").toString("utf8") === `${bmcUsername}:${this.#password}`
    );
  }

  #login(body: string): BmcAnswer {
    const given = parseJson(login, body);
    if (!given)
      return fault(400, "Base.1.8.PropertyMissing", "The properties UserName and Password are required.");
    if (given.UserName !== bmcUsername || given.Password !== this.#password || !this.#accountWorks()) {
      return fault(
        401,
        "Base.1.8.ResourceAtUriUnauthorized",
        "While attempting to establish a connection, the service denied access.",
      );
    }
    const session = this.sessions.open();
    if (!session)
      return fault(
        503,
        "Base.1.8.SessionLimitExceeded",
        "The session establishment failed due to the number of simultaneous sessions exceeding the limit of the implementation.",
      );
    const path = `${this.#personality.tree.sessions}/${session.id}`;
    const headers = { "x-auth-token": session.token, location: path };
    return this.#has("bareSession")
      ? { status: 204, headers }
      : { status: this.#has("sessionOk") ? 200 : 201, headers, body: sessionBody(path, session.id) };
  }

  #get(path: string, query: string | undefined): BmcAnswer {
    const { tree } = this.#personality;
    if (path === "/redfish") return { status: 200, body: json({ v1: "/redfish/v1/" }) };
    if (path === tree.sessions) {
      const members = this.sessions.ids().map((id) => ({ "@odata.id": `${path}/${id}` }));
      return {
        status: 200,
        body: json({
          "@odata.id": path,
          "@odata.type": "#SessionCollection.SessionCollection",
          Name: "Sessions",
          Members: members,
          "Members@odata.count": members.length,
        }),
      };
    }
    if (path.startsWith(`${tree.sessions}/`)) {
      const id = path.slice(tree.sessions.length + 1);
      return this.sessions.ids().includes(id)
        ? { status: 200, body: sessionBody(path, id) }
        : this.#unknown(path);
    }
    const page = path.endsWith("/Entries")
      ? eventLogPage(path, query, this.host.blueprint.vendor, this.host.faults.health)
      : null;
    if (page !== null) return { status: 200, body: page };
    if (query?.startsWith("$expand=") === true) return this.#expanded(path, query);
    const body =
      (query === undefined ? null : render(tree, `${path}?${query}`, this.host)) ?? this.#read(path);
    if (body === null) return this.#unknown(path);
    const strong = path === tree.system ? systemEtag(this.host) : tree.etags.get(path);
    const etag = strong !== undefined && this.#has("strongVersions") ? `W/${strong}` : strong;
    return { status: 200, ...(etag === undefined ? {} : { headers: { etag } }), body };
  }

  #expanded(path: string, query: string): BmcAnswer {
    const { tree, expandsSystem } = this.#personality;
    if (path === tree.system && !expandsSystem)
      return fault(
        400,
        "Base.1.8.QueryNotSupportedOnResource",
        "Querying is not supported on the requested resource.",
      );
    const { index } = this.host.blueprint;
    const read = (linked: string) => this.#read(linked);
    return tree.expansions.answer(index, path, query, tree.expand, read) ?? this.#unknown(path);
  }

  #has(quirk: BmcQuirk): boolean {
    return this.host.faults.quirks?.includes(quirk) === true;
  }

  /** The resource in its current state; null if there is none, or none any more. */
  #read(path: string): string | null {
    const { tree } = this.#personality;
    const { bios } = tree.places;
    const delivered = (at: string): string | null => {
      const text = render(tree, at, this.host);
      return at === bios && text !== null && this.#has("bootsByAttribute") ? withUrlBoot(text) : text;
    };
    const inForce = () => (bios === null ? null : delivered(bios));
    const shown = show(path, delivered(path), tree.places, this.host.platform, inForce);
    const { health } = this.host.faults;
    const reported = health === null || shown === null ? shown : shownHealth(path, shown, health);
    return shownWith(path, reported || null, {
      system: tree.system,
      chassis: tree.poweredWith,
      has: (quirk) => this.#has(quirk),
      components: hasComponents(this.host) ? componentsPath : null,
    });
  }

  #around(): Around {
    return {
      places: this.#personality.tree.places,
      platform: this.host.platform,
      read: (path) => this.#read(path),
      loseSessions: () => this.sessions.loseAll(),
    };
  }

  #unknown(path: string): BmcAnswer {
    return fault(404, "Base.1.8.ResourceMissingAtURI", `The resource at the URI ${path} was not found.`);
  }

  #delete(path: string): BmcAnswer {
    const { sessions } = this.#personality.tree;
    if (path.startsWith(`${sessions}/`) && this.sessions.close(path.slice(sessions.length + 1)))
      return { status: this.#personality.deleteStatus };
    return this.#unknown(path);
  }

  #patchSystem(request: BmcRequest): BmcAnswer {
    const { host } = this;
    const { tree } = this.#personality;
    const expected = request.header("if-match");
    const isMissing = expected === undefined && this.#has("demandsTag");
    if (isMissing || (expected !== undefined && expected !== "*" && expected !== systemEtag(host))) {
      return fault(
        412,
        "Base.1.8.PreconditionFailed",
        "The ETag supplied did not match the current ETag of the resource.",
      );
    }
    const patch = parseJson(bootPatch, request.body)?.Boot;
    if (!patch)
      return fault(
        400,
        "Base.1.8.PropertyUnknown",
        "The request holds a property that is unknown or cannot be written.",
      );
    if (this.#has("bootsByAttribute"))
      return fault(400, "iLO.2.25.UnsupportedOperation", "The operation is not supported by system.");
    const target = patch.BootSourceOverrideTarget ?? host.override.target;
    const enabled = patch.BootSourceOverrideEnabled ?? host.override.enabled;
    if (!tree.bootTargets.includes(target) || (target === "UefiHttp" && this.#has("noHttp")))
      return fault(
        400,
        "Base.1.8.PropertyValueNotInList",
        `The value ${target} for the property BootSourceOverrideTarget is not in the list of acceptable values.`,
      );
    if (!tree.bootEnabledValues.includes(enabled) || (enabled === "Once" && this.#has("noOnce")))
      return fault(
        400,
        "Base.1.8.PropertyValueNotInList",
        `The value ${enabled} for the property BootSourceOverrideEnabled is not in the list of acceptable values.`,
      );
    const cleared = enabled === "Disabled" || target === "None";
    host.setOverride({
      target: cleared ? "None" : target,
      enabled: cleared ? "Disabled" : enabled,
      mode: patch.BootSourceOverrideMode ?? (this.#has("dropsMode") ? "Legacy" : host.override.mode),
    });
    if (this.#personality.patchAnswer === "nothing") return { status: 204 };
    if (this.#personality.patchAnswer === "resource") return this.#get(tree.system, undefined);
    const info = {
      MessageId: "Base.1.12.Success",
      Message: "The request completed successfully.",
      Severity: "OK",
      Resolution: "None",
    };
    return { status: 200, body: json({ "@Message.ExtendedInfo": [info] }) };
  }

  #reset(body: string): BmcAnswer {
    const type = parseJson(resetBody, body)?.ResetType;
    if (type === undefined) return missingParameter("The action Reset requires the parameter ResetType.");
    const restarts = type === "ForceRestart" || type === "PowerCycle";
    if (!this.#personality.tree.resetTypes.includes(type) || (restarts && this.#has("noRestart"))) {
      return fault(
        400,
        "Base.1.8.ActionParameterValueNotInList",
        `The value ${type} for the parameter ResetType is not in the list of acceptable values.`,
      );
    }
    if (type === "ForceOff" && this.#has("slowOff") && this.host.power === "On")
      return accepted(this.#around(), "Power Off", platformMs.slowOff, { kind: "powerOff" });
    if (this.host.reset(type) || this.#personality.impossibleReset === "acknowledge") return { status: 204 };
    return fault(409, this.#personality.refusalMessage.id, this.#personality.refusalMessage.text);
  }
}

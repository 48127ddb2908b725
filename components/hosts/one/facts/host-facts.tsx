// The facts beside the head of a host's page.
import Link from "next/link";
import type { ReactNode } from "react";
import { formatCounted } from "@/server/domain/numbers";
import { IdText } from "@/components/ui/id-text";
import { Age, Time } from "@/components/ui/time/time";
import { authoritiesChanged, formatFingerprint } from "@/server/domain/hardware/certificate";
import { watchText } from "@/server/domain/hosts/ready-watch/reading";
import { dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { formatBoot } from "@/components/hosts/one/bmc/boot-text";
import { hasPaused, ReclamationClock, WholeTime } from "@/components/hosts/one/facts/reclamation-clock";
import { isManual, reclamationKindLabel } from "@/components/reclamations/reclamation-labels";
import { routes } from "@/server/domain/console/routes";
import { StandingLabel } from "@/components/assurance/standing";

/** In any other state the host is cleaned anyway. */
const kept: ReadonlySet<string> = new Set(["Ready", "ReturnToAllocation/AwaitingRepair"]);

/** Empty if the host does not depend on an exception. */
const exceptionFacts = ({ state, exceptedUntil }: Pick<HostDetail, "state" | "exceptedUntil">) =>
  exceptedUntil === null || !kept.has(state)
    ? []
    : [
        {
          term: "Exception",
          words: (
            <>
              until <Time at={exceptedUntil} />, then cleaned again
            </>
          ),
        },
      ];

/** The standing of a Ready host: any other is in use, being cleaned or with a person, and says so itself. */
const proofFacts = ({ state, standing, counts }: Pick<HostDetail, "state" | "standing" | "counts">) => [
  ...(state === "Ready" ? [{ term: "Standing", words: <StandingLabel standing={standing} /> }] : []),
  ...(counts.gates === 0
    ? []
    : [
        {
          term: "Gates",
          words: counts.gateWords,
        },
      ]),
];

export interface Fact {
  term: string;
  words: ReactNode;
}

/** The kind of machine and its place: "PowerEdge R750xa, 7LK2QX3; site a / rack 12 / U14". */
export function hostWhat(host: HostDetail): string {
  const place = [`site ${host.site}`, host.rack === null ? null : `rack ${host.rack}`, host.slot]
    .filter((part) => part !== null)
    .join(" / ");
  return `${host.model ?? host.manufacturer ?? "unknown model"}, ${host.serial ?? "serial not read yet"}; ${place}`;
}

/** Splits Redfish values such as "poweringOn" into words. */
const powerText = (state: string) =>
  state.replace(
    /([a-z])([A-Z])/g,
    (_all, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );

/** In order: standing and gates, reclamation, tenant, clock, debt, why it is kept out of allocation, power, boot. */
export const hostFacts = (host: HostDetail): readonly Fact[] => [
  ...proofFacts(host),
  ...reclamationFacts(host),
  ...instanceFacts(host),
  ...debtFacts(host),
  ...keptOutFacts(host),
  ...exceptionFacts(host),
  healthFact(host),
  powerFact(host),
  ...bootFacts(host),
  ...bmcFacts(host),
  ...networkFacts(host),
  ...labelFacts(host),
];

function reclamationFacts({ reclamation }: HostDetail): readonly Fact[] {
  if (reclamation === null) return [];
  const runbook = reclamation.runbookName === null ? "" : `, runbook ${reclamation.runbookName}`;
  const facts: Fact[] = [
    {
      term: isManual(reclamation) ? "Cleaning" : "Reclamation",
      words: (
        <>
          <span className="mono">{reclamation.number}</span>, {reclamationKindLabel(reclamation.kind)}
          {runbook}
        </>
      ),
    },
  ];
  if (reclamation.tenantName !== null)
    facts.push({
      term: "Previous tenant",
      words: (
        <>
          {reclamation.tenantName}
          {reclamation.instanceId === null ? null : (
            <>
              , instance <IdText id={reclamation.instanceId} />
            </>
          )}
        </>
      ),
    });
  facts.push({ term: "Clock", words: <ReclamationClock reclamation={reclamation} /> });
  if (hasPaused(reclamation))
    facts.push({ term: "Since it began", words: <WholeTime reclamation={reclamation} /> });
  return facts;
}

/** The host's labels, one per line. */
const labelFacts = ({ labels }: HostDetail): readonly Fact[] =>
  Object.keys(labels).length === 0
    ? []
    : [
        {
          term: "Labels",
          words: Object.entries(labels).map(([name, value]) => (
            <span key={name} className="mono block">
              {name}={value}
            </span>
          )),
        },
      ];

const instanceFacts = ({ instance }: HostDetail): readonly Fact[] =>
  instance === null
    ? []
    : [
        {
          term: "In use by",
          words: (
            <>
              {instance.tenantName},{" "}
              <Link className="link" href={routes.instances({ show: "all", open: instance.id })}>
                {instance.name}
              </Link>
            </>
          ),
        },
      ];

/** The drives it owes, and the dispositions of those that cannot be erased. */
function debtFacts({ name, debts, unaccounted }: HostDetail): readonly Fact[] {
  const owed = debts.map((debt) => ({
    term: "Debt",
    words: (
      <>
        {formatCounted(debt.drives, "drive")}
        {debt.tenantName === null ? null : ` of ${debt.tenantName}`}, since <Time at={debt.since} />
      </>
    ),
  }));
  const stated = unaccounted.flatMap(({ disposition }) =>
    disposition === null
      ? []
      : [
          {
            term: "Disposition",
            words: (
              <Link className="link" href={routes.host(name, { tab: "inventory" })} scroll={false}>
                {`${disposition.key}: ${dispositionTable[disposition.kind].words}`}
              </Link>
            ),
          },
        ],
  );
  return [...owed, ...stated];
}

function keptOutFacts({
  state,
  allocatable,
  untouched,
  maintenance,
  readyWatch,
}: HostDetail): readonly Fact[] {
  const facts: Fact[] = [];
  if (readyWatch !== null)
    facts.push({
      term: "Watched",
      words: (
        <>
          {watchText(readyWatch)}
          {readyWatch.readAt === null ? null : (
            <>
              ; last read <Time at={readyWatch.readAt} />
            </>
          )}
        </>
      ),
    });
  if (readyWatch?.failing != null)
    facts.push({
      term: "Not compared",
      words: (
        <>
          since <Time at={readyWatch.failing.since} />: {readyWatch.failing.why}
        </>
      ),
    });
  if (untouched !== null)
    facts.push({
      term: "Declared untouched",
      words: <span title={untouched.reason}>{`by ${untouched.byName}: ${untouched.reason}`}</span>,
    });
  if (maintenance !== null)
    facts.push({
      term: "Maintenance",
      words:
        maintenance.by === "failure" ? (
          "set by this failure"
        ) : (
          <span title={maintenance.reason ?? undefined}>{maintenance.reason ?? "no reason given"}</span>
        ),
    });
  if (state === "Ready")
    facts.push({ term: "Allocation", words: allocatable ? "available for allocation" : "not available" });
  return facts;
}

/** A one-word summary of its health reports; the tab has the details. */
const healthFact = ({ name, health: { words, tone } }: HostDetail): Fact => ({
  term: "Health",
  words: (
    <Link
      className={tone === "neutral" ? "link" : "link tone"}
      data-tone={tone}
      href={routes.host(name, { tab: "health" })}
      scroll={false}
    >
      {words === "–" ? "no source reports" : words}
    </Link>
  ),
});

/** Boot settings as last read. */
function bootFacts(host: HostDetail): readonly Fact[] {
  const words = formatBoot(host);
  return words === null ? [] : [{ term: "Boot", words }];
}

/** The machine's identity, which a person compares with the machine before the host is provided. */
function bmcFacts(host: HostDetail): readonly Fact[] {
  const { state, bmcAddress, bmcSystem, bmcOthers, systemUuid, certificate, bmcAnswers, powerReadAt } = host;
  const facts: Fact[] =
    bmcAddress === null
      ? []
      : [
          {
            term: "BMC",
            words: bmcAnswers ? (
              bmcAddress
            ) : (
              <span className="text-quiet">
                {bmcAddress},{" "}
                {powerReadAt === null ? (
                  "never responded"
                ) : (
                  <>
                    last read <Age at={powerReadAt} /> ago
                  </>
                )}
              </span>
            ),
          },
        ];
  if (bmcOthers.length > 0)
    facts.push({
      term: "System",
      words: `${bmcSystem ?? "not found yet"}; also at this BMC: ${bmcOthers.join(", ")}`,
    });
  if (systemUuid !== null && state === "Manageable") facts.push({ term: "System UUID", words: systemUuid });
  if (certificate !== null)
    facts.push({
      term: "Certificate",
      words: (
        <span title={`SHA-256 ${formatFingerprint(certificate.sha256)}`}>
          {certificate.changed
            ? "not the one that was confirmed"
            : certificate.pinned
              ? "confirmed"
              : certificate.accepted
                ? "issued by a trusted authority"
                : certificate.trusted
                  ? "issued by a trusted authority, not pinned"
                  : certificate.refusal === authoritiesChanged
                    ? "not yet checked against the site's new authorities"
                    : "not issued by a trusted authority"}
          , valid until {certificate.validTo.slice(0, 10)}
        </span>
      ),
    });
  return facts;
}

/** For a host that waits for a network: which network was requested from whom, since when, and the last answer. */
function networkFacts({ network }: HostDetail): readonly Fact[] {
  if (network === null) return [];
  const { wanted, version, acceptedAt, failures, retryAt, answer } = network;
  return [
    {
      term: "Network",
      words: (
        <>
          {wanted}, version {version}:{" "}
          {acceptedAt !== null ? (
            <>
              accepted <Age at={acceptedAt} /> ago
            </>
          ) : failures > 0 ? (
            `failed ${formatCounted(failures, "time")}${answer === null ? "" : `: ${answer}`}`
          ) : (
            "requested"
          )}
          {retryAt === null ? null : (
            <span className="text-quiet">
              , next request <Time at={retryAt} />
            </span>
          )}
        </>
      ),
    },
  ];
}

/** While the BMC does not answer, this is the last reading, marked as stale. */
const powerFact = ({ bmcAnswers, powerState, powerReadAt }: HostDetail): Fact => ({
  term: "Power",
  words:
    powerState === null ? (
      "unknown"
    ) : (
      <>
        {bmcAnswers ? powerText(powerState) : <span className="text-quiet">was {powerText(powerState)}</span>}
        {powerReadAt === null ? null : (
          <span className="text-quiet">
            , read <Age at={powerReadAt} /> ago
          </span>
        )}
      </>
    ),
});

// @vitest-environment happy-dom
// The page of a drive: its status, and each erase with what was tried and refused. Serial numbers in sentences link to their drive.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Suspense } from "react";
import { DrivePage, driveStatus } from "@/components/hosts/drives/drive-page";
import { LinkedDrives, splitAtSerials } from "@/components/hosts/drives/linked-drives";
import { ModelsPage } from "@/components/hosts/drives/models-page";
import { show } from "@/components/testing/rendered";
import type { DriveDetail, DriveErase, DriveModelRow } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-22T08:00:00Z");
const host = { id: "h1", name: "r1-h01", gone: false };
const erase: DriveErase = {
  id: "9",
  at,
  verdict: "sanitized",
  technique: "nvme-sanitize-crypto",
  level: "purge",
  host,
  reclamation: { id: "c1", number: "R-42" },
  step: "deploy.erase_nvme",
  attempt: 1,
  reason: "purge is at least purge",
  standard: "ieee-2883",
  techniqueTable: 1,
  verification: "16 of 16 markers gone",
  firmware: "GDC55",
  readable: true,
  tries: [
    {
      technique: "nvme-sanitize-block",
      status: "NVMe status: Invalid Field in Command(0x2)",
      code: "SCT 0h, SC 2h: an invalid field",
      refused: "an invalid field",
      command: "/usr/sbin/nvme sanitize /dev/nvme0 --sanact=2",
      exitCode: 1,
      attempt: 1,
      completed: false,
      startedAt: at,
      tookMs: 12,
    },
  ],
  passedOver: [{ technique: "nvme-sanitize-overwrite", why: "not in SANICAP 3h" }],
};
const stay = { host, slot: "bay 3", from: at, until: null, readAt: at, lackedAt: null };
const drive: DriveDetail = {
  id: "d1",
  serial: "S6XNNA0T4",
  model: "PM9A3",
  firmware: "GDC55",
  media: "nvme",
  capacityBytes: "3840755982336",
  manufacturer: null,
  wwn: null,
  transport: "nvme",
  firstSeenAt: at,
  twins: [{ id: "d2", serial: "S6XNNA0T4", model: "P5510" }],
  stays: [stay],
  moreStays: false,
  erases: [erase],
  erasesTotal: 1,
  failures: [],
  moreFailures: false,
  dispositions: [],
  debts: [],
};

it("shows of an erase each technique: what was sent with command, status and output, and what was not", async () => {
  show(
    <Suspense>
      <DrivePage id="d1" />
    </Suspense>,
    { answers: { "drives.get": () => drive } },
  );
  const user = userEvent.setup();
  expect(await screen.findByRole("heading", { level: 1, name: "S6XNNA0T4" })).toBeVisible();
  expect(screen.getByRole("link", { name: "P5510" })).toHaveAttribute("href", "/drives/d2");
  const erases = screen.getByRole("table", { name: "Erases" });
  expect(within(erases).getByRole("link", { name: "R-42" })).toHaveAttribute(
    "href",
    "/hosts/r1-h01?reclamation=c1",
  );
  await user.click(within(erases).getByRole("button", { name: "1 attempt, 1 not offered" }));
  for (const words of [
    "version 1 of the table of techniques",
    "not sent because the drive does not support it: not in SANICAP 3h",
    "/usr/sbin/nvme sanitize /dev/nvme0 --sanact=2",
    "The device does not say that it completed: an invalid field",
    "NVMe status: Invalid Field in Command(0x2)",
  ])
    expect(erases).toHaveTextContent(words);
  expect(within(erases).getByRole("button", { name: "Copy the output" })).toBeVisible();
});

it("does not say that nothing was sent where the report cannot be read, and says what is left out", async () => {
  const unread = { ...erase, readable: false, tries: [], passedOver: [] };
  const lacking = { ...stay, lackedAt: new Date("2026-11-22T09:00:00Z") };
  show(
    <Suspense>
      <DrivePage id="d1" />
    </Suspense>,
    {
      answers: {
        "drives.get": () => ({
          ...drive,
          stays: [lacking],
          erases: [unread],
          moreStays: true,
          moreFailures: true,
        }),
      },
    },
  );
  const erases = await screen.findByRole("table", { name: "Erases" });
  expect(erases).toHaveTextContent("report unreadable by this version");
  expect(erases).not.toHaveTextContent("nothing sent");
  expect(screen.getByRole("table", { name: "Hosts of this drive" })).toHaveTextContent(
    /now, as read .*; missing from the inventory of /,
  );
  expect(screen.getByText("the newest 1")).toBeVisible();
  expect(screen.getByText("the newest 0 that stopped hosts because of this drive")).toBeVisible();
});

describe("drive models", () => {
  const model: DriveModelRow = {
    ...{
      model: "PM9A3",
      firmware: "GDC55",
      technique: "nvme-sanitize-block",
      media: "nvme",
      hosts: 4,
      runs: 9,
    },
    ...{ completed: 8, stalls: 1, lies: 0, probed: 8, refuted: 0, canaries: 2048, remnants: 0 },
    ...{
      bound: 0.00146,
      eraseBound: 0.3123,
      halfMs: 240_000,
      mostMs: 300_000,
      longestMs: 301_000,
      lastAt: at,
    },
  };
  const models = (rows: readonly DriveModelRow[]) =>
    show(
      <Suspense>
        <ModelsPage />
      </Suspense>,
      { answers: { "drives.models": () => ({ rows, nextCursor: null }) } },
    );

  it("say what erases left and took, and lead to the drives", async () => {
    models([model, { ...model, firmware: "GDC56", remnants: 3, bound: 0.0038 }]);
    const table = await screen.findByRole("table", { name: "Drive models" });
    expect(await within(table).findByText("0 of 2,048, at most 0.15 %")).toBeVisible();
    expect(table).toHaveTextContent("3 of 2,048, at most 0.38 %");
    expect(within(table).getByLabelText("left data")).toBeVisible();
    expect(within(table).getAllByRole("link", { name: "PM9A3" })[0]).toHaveAttribute(
      "href",
      "/drives?q=PM9A3+GDC55",
    );
  });

  it("say what will appear where nothing was counted", async () => {
    models([]);
    expect(await screen.findByText("No erases yet")).toBeVisible();
  });
});

describe("where a drive stands", () => {
  const gone = { ...stay, until: at };
  it.each([
    [{}, "neutral", "In r1-h01, bay 3; last erase: purge."],
    [{ stays: [] }, "neutral", "Never listed by a host; last erase: purge."],
    [{ stays: [gone], erases: [] }, "neutral", "Not in any host; never erased by Reclaim."],
    [{ erases: [{ ...erase, verdict: "failed" }] }, "failed", "In r1-h01, bay 3; last erase failed."],
  ] as const)("%j", (over, tone, words) =>
    expect(driveStatus({ ...drive, ...over })).toEqual({ tone, words }),
  );
  it("says that two hosts list it, and who stated what became of one in none", () => {
    const other = { ...stay, host: { ...host, name: "r1-h02" }, slot: null };
    expect(driveStatus({ ...drive, stays: [stay, other] })).toMatchObject({
      tone: "attention",
      words: expect.stringContaining("Listed by 2 hosts, r1-h01, bay 3; r1-h02:"),
    });
    const stated = {
      host,
      at,
      words: "removed and destroyed",
      reason: "x",
      by: "Ada",
      slot: null,
      withdrawn: null,
    };
    expect(driveStatus({ ...drive, stays: [gone], dispositions: [stated] }).words).toMatch(
      /^Not in any host; removed and destroyed, stated by Ada;/,
    );
  });
});

it("a serial number in a sentence leads to its drive, also where one is the beginning of another", () => {
  expect(splitAtSerials("Drives A1, A12 and A1-2 failed.", ["A1", "A12"])).toEqual([
    ..."Drives |A1|, |A12| and A1-2 failed.".split("|"),
  ]);
  show(<LinkedDrives words="Drive S.1 refused Sanitize." serials={["S.1"]} />);
  expect(screen.getByRole("link", { name: "S.1" })).toHaveAttribute("href", "/drives/S.1");
});

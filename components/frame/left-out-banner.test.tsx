// @vitest-environment happy-dom
// The banner while cleaning is left out: where, what follows, and the way to change it.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { LeftOutBanner } from "@/components/frame/left-out-banner";
import { admin, show } from "@/components/testing/rendered";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import type { Me } from "@/server/surfaces/trpc/types";

const shown = (leftOut: Me["leftOut"]) => {
  const me = { ...admin, leftOut };
  show(<LeftOutBanner />, { me, answers: { "session.me": () => me } });
};

it("is not there while every host is cleaned", () => {
  shown({ places: [], total: 0 });
  expect(screen.queryByRole("status")).toBeNull();
});

it("says where, what follows, and leads to the steps", () => {
  shown({
    places: [
      { scope: "site", id: "s1", name: "a", steps: [] },
      { scope: "sku", id: "k1", name: "R750", steps: ["deploy.erase_disks", "deploy.erase_nvme"] },
      { scope: "host", id: "h1", name: "gpu-1", steps: ["deploy.erase_nvme"] },
    ],
    total: 5,
  });
  expect(screen.getByRole("status")).toHaveTextContent(
    `Cleaning is left out: automated cleaning is off for site a; deploy.erase_disks, deploy.erase_nvme are off for SKU R750; deploy.erase_nvme is off for host gpu-1; and in 2 more places. ${leftOutMeaning}.`,
  );
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/cleaning?site=s1",
    "/cleaning?sku=k1",
    "/cleaning?host=gpu-1",
  ]);
});

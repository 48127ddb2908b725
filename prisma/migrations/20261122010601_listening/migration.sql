-- Until when agents could have reached a server that reached this database. One row; no row: nobody has listened yet (docs/adr/0022-durations-travel.md).
CREATE TABLE "listening" (
    "one" BOOLEAN NOT NULL DEFAULT true CHECK ("one"),
    "until" TIMESTAMPTZ(3) NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listening_pkey" PRIMARY KEY ("one")
) WITH (fillfactor = 50);

-- Until when agents could have reached a server at each address that they use (docs/adr/0134-listening-per-address.md). The row of
-- "listening" stays: it is every server's, also of the previous release, and says when the database's clock was set.
CREATE TABLE "listening_address" (
    "address" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listening_address_pkey" PRIMARY KEY ("address")
) WITH (fillfactor = 50);

-- The servers that an agent was heard at lately. While there is one, only such a server says that agents reach the address.
CREATE TABLE "listening_server" (
    "address" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listening_server_pkey" PRIMARY KEY ("address", "server")
) WITH (fillfactor = 50);

-- Null: the previous release heard the agent last.
ALTER TABLE "agent_session" ADD COLUMN "server_url" TEXT;

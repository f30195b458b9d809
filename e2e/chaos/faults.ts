import { setTimeout as sleep } from "node:timers/promises";
import { ONE_TASK } from "./casts";
import { CONNECTION_FAULTS, loseConnections } from "./connection-faults";
import type { Database } from "./database";
import type { Fault } from "./fault";

/** The safety timer's interval, plus five seconds. */
const NO_NOTIFICATIONS_BOUND_MS = 20_000;

const calm: Fault = {
  name: "calm",
  servers: 2,
  strike: async ({ isShort }) => void (await sleep(isShort ? 2_000 : 10_000)),
};

/** A person's computer leaves the network: connections break, or fall silent. */
const offline: Fault = {
  name: "offline",
  servers: 1,
  async strike({ company, random, isShort }) {
    const proxy = random.pick([...company.proxies.values()].slice(0, company.people.length - company.outsiders.length));
    proxy.setState(random.chance(0.5) ? "shut" : "silent");
    await sleep(isShort ? 3_000 : 60_000);
    proxy.setState("open");
  },
};

const lostAnswer: Fault = {
  name: "lost-answer",
  servers: 2,
  async strike({ company, random, isShort }) {
    const decide = () => (random.chance(0.3) ? (random.chance(0.7) ? "answer" : "request") : null);
    for (const proxy of company.proxies.values()) proxy.setLoss(decide);
    await sleep(isShort ? 2_000 : 15_000);
    for (const proxy of company.proxies.values()) proxy.setLoss(null);
  },
};

/** Connections break again and again. */
const cuts: Fault = {
  name: "cuts",
  servers: 2,
  async strike({ company, random, isShort }) {
    for (let round = 0; round < (isShort ? 4 : 40); round += 1) {
      random.pick([...company.proxies.values()]).cut();
      await sleep(random.between(50, 700));
    }
  },
};

const killServer: Fault = {
  name: "kill-server",
  servers: 1,
  async strike({ servers, random, isShort }) {
    for (let round = 0; round < (isShort ? 1 : 3); round += 1) {
      for (const server of servers.running()) await server.kill();
      await sleep(random.between(200, 1_500));
      for (const server of servers.running()) await server.start();
      if (!isShort) await sleep(random.between(1_000, 4_000));
    }
  },
};

const rolling: Fault = {
  name: "rolling",
  servers: 2,
  async strike({ servers, random, isShort }) {
    for (const server of servers.running()) {
      await server.stop();
      await sleep(random.between(0, isShort ? 300 : 2_000));
      await server.start();
      await sleep(random.between(0, isShort ? 300 : 3_000));
    }
  },
};

const restartDatabase: Fault = {
  name: "restart-database",
  servers: 2,
  async strike({ database, random, isShort }) {
    await database.stop();
    await sleep(random.between(0, isShort ? 500 : 5_000));
    await database.start();
  },
};

const killDatabase: Fault = {
  name: "kill-database",
  servers: 2,
  async strike({ database, random, isShort }) {
    for (let round = 0; round < (isShort ? 1 : 3); round += 1) {
      await database.kill();
      await sleep(random.between(0, 1_000));
      await database.start();
      await sleep(random.between(500, 3_000));
    }
  },
};

const endListening: Fault = {
  name: "end-listening",
  servers: 2,
  async strike({ database, random, isShort }) {
    for (let round = 0; round < (isShort ? 2 : 15); round += 1) {
      await endListeners(database);
      await sleep(random.between(100, 1_000));
    }
  },
  async strikeLast({ database }, sendLast) {
    // Notifications on these connections are lost: only listening again makes up for them.
    database.proxy.blockPresentConnections();
    await sendLast();
    await endListeners(database);
  },
};

async function endListeners({ sql }: Database): Promise<void> {
  await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'sangam listener'`;
}

/** No process receives notifications, and nothing else is wrong: only the safety timer is left. */
const noNotifications: Fault = {
  name: "no-notifications",
  servers: 2,
  boundMs: NO_NOTIFICATIONS_BOUND_MS,
  async strike({ database, isShort }) {
    database.proxy.blockNotifications(true);
    await sleep(isShort ? 3_000 : 20_000);
  },
  async heal({ database }) {
    database.proxy.blockNotifications(false);
  },
};

/** More than the system and the server buffer for a stalled reader. */
const LONG_TEXT = "₹".repeat(3_900);
const LONG_TEXTS = 1_200;

const slowReader: Fault = {
  name: "slow-reader",
  servers: 1,
  async strike({ company, isShort, random }) {
    const [reader, ...others] = random.shuffled(company.tabs);
    if (!reader) return;
    const writers = others.filter(({ person }) => reader.person.partnerIds.includes(person.id));
    const proxy = company.proxies.get(reader.person.id);
    reader.setAlone(true);
    reader.page().open(random.pick(writers).person.id);
    proxy?.setState("stalled");
    for (let count = 0; count < (isShort ? 50 : LONG_TEXTS); count += 1) {
      random.pick(writers).write(reader.person.id, LONG_TEXT);
      if (count % 20 === 0) await sleep(100);
    }
    for (const writer of writers) while (!writer.hasSentAll()) await sleep(20);
    // The server checks its buffers every second.
    await sleep(3_000);
    proxy?.setState("open");
    reader.setAlone(false);
  },
};

/** Some messages and comments take three seconds from their number to their commit, while others commit elsewhere. */
const slowCommit: Fault = {
  name: "slow-commit",
  servers: 2,
  async strike({ database: { sql }, isShort }) {
    // Fewer are written in the short form.
    const every = isShort ? 10 : 30;
    await sql.unsafe(`
      create or replace function hold_commit() returns trigger language plpgsql as
        $$ begin perform pg_sleep(3); return null; end $$;
      create constraint trigger hold_commit after insert on messages deferrable initially deferred
        for each row when (new.seq % ${every} = 0) execute function hold_commit();
      create constraint trigger hold_commit after insert on comments deferrable initially deferred
        for each row when (new.seq % ${every} = 0) execute function hold_commit();
    `);
    await sleep(isShort ? 4_000 : 20_000);
    await sql.unsafe("drop trigger hold_commit on messages; drop trigger hold_commit on comments");
  },
};

/** Twenty people comment on one task, while one server after the other is killed, and now and then both. */
export const oneTask: Fault = {
  name: "one-task",
  servers: 2,
  cast: ONE_TASK,
  async strike({ servers, random, isShort }) {
    for (let round = 0; round < (isShort ? 2 : 12); round += 1) {
      const running = random.shuffled(servers.running());
      const killed = running.slice(0, random.chance(0.3) ? running.length : 1);
      await sleep(random.between(300, 1_500));
      await Promise.all(killed.map((server) => server.kill()));
      await sleep(random.between(0, 1_000));
      await Promise.all(killed.map((server) => server.start()));
    }
  },
};

/** All faults. */
export const FAULTS: readonly Fault[] = [
  calm,
  offline,
  lostAnswer,
  cuts,
  killServer,
  rolling,
  restartDatabase,
  killDatabase,
  endListening,
  noNotifications,
  slowReader,
  slowCommit,
  oneTask,
  ...CONNECTION_FAULTS,
];

/** The faults of a short round: three groups at once, within each one after the other in an order of the seed's. */
export const SHORT_GROUPS: readonly (readonly Fault[])[] = [
  [offline, lostAnswer, cuts],
  [killServer, restartDatabase, endListening, slowCommit],
  [loseConnections],
];

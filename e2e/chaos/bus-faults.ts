import { setTimeout as sleep } from "node:timers/promises";
import type { TestBus } from "../../server/test/bus";
import type { Fault } from "./fault";

/** The safety timer's interval, plus five seconds: nobody learns which notifications a bus has lost. */
const SAFETY_BOUND_MS = 20_000;

/** What may happen to the bus of a run with `--bus`. */
export function busFaults(bus: TestBus): readonly Fault[] {
  const killBus: Fault = {
    name: "kill-bus",
    servers: 2,
    boundMs: SAFETY_BOUND_MS,
    async strike({ random, isShort }) {
      for (let round = 0; round < (isShort ? 1 : 4); round += 1) {
        await bus.kill();
        await sleep(random.between(0, isShort ? 1_000 : 8_000));
        await bus.start();
        await sleep(random.between(200, 3_000));
      }
    },
  };
  const cutBus: Fault = {
    name: "cut-bus",
    servers: 2,
    boundMs: SAFETY_BOUND_MS,
    async strike({ random, isShort }) {
      for (let round = 0; round < (isShort ? 4 : 20); round += 1) {
        bus.cut();
        await sleep(random.between(50, 1_500));
      }
    },
  };
  /** Silent until everything has been compared: only the safety timer is left. */
  const silentBus: Fault = {
    name: "silent-bus",
    servers: 2,
    boundMs: SAFETY_BOUND_MS,
    async strike({ isShort }) {
      bus.setSilent(true);
      await sleep(isShort ? 3_000 : 20_000);
    },
    heal: async () => bus.setSilent(false),
  };
  return [killBus, cutBus, silentBus];
}

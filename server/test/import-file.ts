import { join } from "node:path";
import { createLogger } from "../core/logger";
import { createDiskStore } from "../files/disk-store";
import { createImages } from "../files/images";
import type { FileIntake } from "../operations/import/file-target";

/**
 * An import file of a firm: people, of whom the first is an admin, projects with so many tasks each, and one conversation. Keys, names
 * and times count up, so that a test can tell what is missing, doubled or out of order.
 */
export function importFileOf(count: { users: number; projects: number; tasks: number; messages: number }) {
  const entries = <Value>(length: number, make: (at: number) => Value) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, make(at)]));
  return {
    users: entries(count.users, (at) => ({
      displayName: `Person ${at}`,
      email: `p${at}@firm.example`,
      accountType: at === 0 ? "admin" : "client",
    })),
    projects: entries(count.projects, (at) => ({
      title: `Project ${at}`,
      createdBy: "k0",
      clientId: "k1",
      tasks: entries(count.tasks, (number) => ({
        title: `Task ${number}`,
        createdBy: "k0",
        createdAt: 1_700_000_000_000 + number,
      })),
    })),
    conversations: {
      c: {
        participants: ["k0", "k1"],
        messages: entries(count.messages, (at) => ({
          text: `Message ${at}`,
          senderId: at % 2 ? "k0" : "k1",
          timestamp: 1_700_000_000_000 + at * 1000,
        })),
      },
    },
  };
}

/** Of all imports of a worker: each would start a process of its own for its first picture. */
const images = createImages({ logger: createLogger({ level: "silent" }) });

/** Where files of an import go in tests: below a folder, or into a store. */
export function intakeBelow(
  folder: string,
  { quotaBytes = 1_000_000_000, store = createDiskStore(join(folder, "files")) } = {},
): Omit<FileIntake, "archive"> {
  return { store, images, folder: join(folder, "uploads"), quotaBytes };
}

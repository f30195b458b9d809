import type { Actor } from "../core/context";

/** Names that every screen shows: display name, else username, else e-mail (spec 3). */
export function displayNameOf(person: { displayName: string | null; username: string; email: string }): string {
  return person.displayName || person.username || person.email;
}

/** Nobody decides about an account of their own. */
export function isOneself(actor: Actor, userId: string): boolean {
  return actor.id === userId;
}

/**
 * The path of a program that starts, installed when it is missing and root asks; null when it cannot be had, after one line on
 * standard error that says why. `redis` may be Valkey's.
 */
export function findProgram(name: "nginx" | "caddy" | "redis"): Promise<string | null>;

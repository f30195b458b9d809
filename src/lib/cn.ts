import { type ClassValue, clsx } from "clsx";

/** Joins class names, skipping the falsy ones. Later utilities do not override earlier ones: order is the stylesheet's. */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}

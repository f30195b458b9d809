import type { AccountStatus, AccountType } from "./enums";

/** The people of the demo organisation. */

export type DemoPersonName = (typeof DEMO_PEOPLE)[number]["username"];

const person = <Username extends string>(
  username: Username,
  name: string,
  accountType: AccountType,
  joinedDaysAgo: number,
  accountStatus: AccountStatus = "active",
) => ({ username, name, email: `${username}@sangam.example`, accountType, accountStatus, joinedDaysAgo });

export const DEMO_PEOPLE = [
  person("asha", "Asha Kulkarni", "admin", 400),
  person("vikram", "Vikram Menon", "admin", 390),
  person("rohan", "Rohan Shah", "user", 320),
  person("mitali", "Mitali Deshpande", "user", 300),
  person("farhan", "Farhan Qureshi", "user", 210),
  person("devika", "Devika Joshi", "user", 120),
  person("sanjay", "Sanjay Iyer", "user", 45),
  person("meera", "Meera Rao", "client", 200),
  person("kabir", "Kabir Anand", "client", 150),
  person("leela", "Leela Thomas", "client", 60),
  person("nikhil", "Nikhil Patil", "user", 1, "pending"),
  person("ravi", "Ravi Bhatt", "user", 14, "rejected"),
] as const;

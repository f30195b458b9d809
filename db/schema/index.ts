export * from "./audit";
export * from "./auth";
export * from "./chat";
export * from "./history";
export * from "./limits";
export * from "./mail";
export * from "./projects";
export * from "./tasks";

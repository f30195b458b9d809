import { newEmail } from "./accounts";

import { adminsOnly, employees, openAndClose, own, type Rows, row, six } from "./rows";

/** Rows of the access matrix. */
export const USERS: Rows = {
  "users.list": { row: adminsOnly, call: (caller) => caller.users.list({}) },
  "users.assignable": { row: employees, call: (caller) => caller.users.assignable() },
  "users.clients": { row: employees, call: (caller) => caller.users.clients() },
  "users.approve": {
    row: adminsOnly,
    call: (caller, { pendingUserId }) => caller.users.approve({ userId: pendingUserId, accountType: "client" }),
  },
  "users.invite": {
    row: adminsOnly,
    call: (caller) => caller.users.invite({ name: "New Person", email: newEmail(), accountType: "user" }),
  },
  "users.invitations": { row: adminsOnly, call: (caller) => caller.users.invitations() },
  "users.resendInvitation": {
    row: adminsOnly,
    call: (caller, { invitationId }) => caller.users.resendInvitation({ invitationId }),
  },
  "users.withdrawInvitation": {
    row: adminsOnly,
    call: (caller, { invitationId }) => caller.users.withdrawInvitation({ invitationId }),
  },
  "users.sendInvitation": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.sendInvitation({ userId: activeUserId }),
  },
  "users.resetTwoFactor": {
    row: row("UNAUTHORIZED", ...six("FORBIDDEN"), "CONFLICT"),
    key: "FORBIDDEN",
    call: (caller, { activeUserId }) => caller.users.resetTwoFactor({ userId: activeUserId }),
  },
  "users.deactivate": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.deactivate({ userId: activeUserId }),
  },
  "users.reactivate": {
    row: adminsOnly,
    call: (caller, { rejectedUserId }) => caller.users.reactivate({ userId: rejectedUserId }),
  },
  "users.setType": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.setType({ userId: activeUserId, accountType: "client" }),
  },
  "users.exportPerson": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller, { activeUserId }) => caller.users.exportPerson({ userId: activeUserId }),
  },
  "users.erasePerson": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller, { activeUserId }) => caller.users.erasePerson({ userId: activeUserId }),
  },
  "users.openClientView": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.users.openClientView({ clientId }),
  },
  "users.updateProfile": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.users.updateProfile({ address: "Pune" }),
  },
  "users.setPhoto": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.users.setPhoto({ fileId: null }),
  },
  "users.onChange": { row: adminsOnly, call: (caller) => openAndClose(caller.users.onChange()) },
  "users.reject": {
    row: adminsOnly,
    call: (caller, { pendingUserId }) => caller.users.reject({ userId: pendingUserId }),
  },
  "users.team": { row: employees, call: (caller) => caller.users.team() },
  "users.holdings": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.holdings({ userId: activeUserId }),
  },
  "users.handOverAll": {
    row: adminsOnly,
    call: (caller, { activeUserId, otherAdminId }) =>
      caller.users.handOverAll({ userId: activeUserId, toUserId: otherAdminId }),
  },
};

// The roles of users, and what each may do by default: D12 D13 D14 CONST.USER_ROLES, CONST.USER_PERMISSIONS.

export const [PLAYER, TRUSTED, ASSISTANT, GAMEMASTER] = [1, 2, 3, 4];

/** The least role of each permission, as a new world has them. */
const PERMISSIONS = {
  SETTINGS_MODIFY: ASSISTANT,
  TOKEN_CREATE: ASSISTANT,
  TOKEN_DELETE: ASSISTANT,
  WALL_DOORS: PLAYER,
};

/** A user is a GM from the role of an assistant on: D13 User#isGM. */
export const roleOf = ({ role, isGM }) => role ?? (isGM ? GAMEMASTER : PLAYER);

/** Tells whether a user's role has a permission; `changed` are a world's own least roles. */
export const may = (user, permission, changed = {}) =>
  roleOf(user) >= { ...PERMISSIONS, ...changed }[permission];

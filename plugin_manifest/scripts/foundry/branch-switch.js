/**
 * Branches ("what if") in Foundry: the UI of one seat goes to a branch and back. Foundry's tokens stay with the battle,
 * which the bridge goes on reporting; the branch's tokens are drawn on the overlay.
 */

import { BranchConnection } from "../core/table/branch-connection.js";
import { TableClient } from "../core/table/table-client.js";
import { localize } from "../core/ui/i18n.js";
import { tokenPosition } from "./canvas/board-position.js";
import { savedPlace } from "./read/saved-place.js";
import { tableScene } from "./read/table-scene.js";

/** @import {Link} from "../../types/page.js" */
/** @import {Cell, Token} from "../../types/contract.js" */
/** @import {SeatUi} from "./seat-ui.js" */

/** The branch that a UI shows. @typedef {{link: Link, branch: string}} BranchLink */

/** Holds the battle's UI and, while the user is in a branch, that of the branch. */
export class BranchSwitch {
  /** @type {SeatUi | null} */
  #branchUi = null;

  /**
   * @param {SeatUi} battle
   * @param {(client: TableClient, branch: BranchLink) => SeatUi} create creates the UI of a branch
   * @param {(shown: SeatUi) => void} onShow receives the UI that has the page from now on
   */
  constructor(battle, create, onShow) {
    this.battle = battle;
    this.create = create;
    this.onShow = onShow;
  }

  /** Goes to a branch, or back to the battle for "". @param {string} branch */
  goTo(branch) {
    this.close();
    if (!branch) {
      this.onShow(this.battle);
      return this.battle.setAside(false);
    }
    const { link } = this.battle.context.session.client;
    // Without a key the windows that read the table over HTTP stay away: they would read the battle.
    const client = new TableClient(
      { ...link, key: "" },
      (handlers) => new BranchConnection(link, branch, handlers),
    );
    this.battle.setAside(true);
    this.#branchUi = this.create(client, { link, branch });
    this.onShow(this.#branchUi);
    return this.#branchUi.context.windows.open("branch");
  }

  /** Closes the branch's UI, if there is one. */
  close() {
    this.#branchUi?.context.session.client.close();
    this.#branchUi?.close();
    this.#branchUi = null;
  }
}

/**
 * Moves a token: in a branch there alone; in the battle Foundry's token, on the user's own behalf, so that the bridge
 * reports it like any drag. If the branch refuses the move, the GM may override the rules.
 * @param {SeatUi["context"]} context
 * @param {Token} known the table's token
 * @param {Cell} at
 * @param {number | null} facing degrees clockwise; null leaves it
 * @param {Cell[]} [path] the waypoints before `at`, in a branch
 * @param {string} [override] the GM's reason to break the rules
 */
export async function moveToken(context, known, at, facing, path = [], override = "") {
  const { store, session, branch } = context;
  const { replica } = store.state;
  const turned = { ...known, at, facing: facing ?? known.facing };
  const token = tableScene()?.tokens.get(known.id);
  if (branch) {
    const again = (/** @type {string} */ reason) => moveToken(context, known, at, facing, path, reason);
    const offer = { label: localize("Command.Override"), override: again };
    await session.send(
      "token.move",
      { token: known.id, at, facing: turned.facing, path, override },
      { offer },
    );
  } else if (replica && token?.parent)
    await token.update(
      { ...tokenPosition(replica.scene.grid, turned, savedPlace(token), token.parent) },
      { enfilade: { origin: "hand", seq: replica.seq } },
    );
}

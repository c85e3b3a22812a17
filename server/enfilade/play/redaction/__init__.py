"""Redaction: everything that one seat may not know is decided here.

Each answer to a seat is computed from that seat's view, so that legal moves and odds never betray a hidden
token. These are the rules, each with the function that applies it:

- A seat's view has no hidden token of others, no note that names one, no hidden terrain; a closed secret
  door is a wall. (scene.view)
- An entry reaches a seat as the changes in that seat's own view. (scene.redact_entry)
- A seat that may not read an entry's text gets the public text, or none. (scene.redact_entry_text)
- An entry that a seat cannot notice does not exist for it, and its numbers have no gap.
  (scene.seats_that_know)
- The public text of an act is what would be said if nothing hidden were there; else there is none.
  (acts.with_redacted_text)
- Players who own every hidden token in an entry may read it. (scene.common_owners)
- A move costs what its player can see. (acts.redact_move)
- A path that only something unseen blocks ends at the last legal cell. (acts.last_visible_step)
- A refusal names only what the sender can see. (acts.try_act)
- A choice reaches only seats that know its tokens and answers; else its words are neutral.
  (choices.choice_for_seat)
- The links of hidden rolls are sealed until the GM reveals them. (scene.redact_entry_text)
- Snapshots, deltas, overlays, previews and verdicts use the seat's view. (views.Views)
- Only the GM knows of the history. (views.Views)
- Only the GM knows of the webhook, and no seat its URL. (views.webhook_state)
"""

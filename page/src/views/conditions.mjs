// The conditions of a card: its outcomes as text, judged while they are typed.
import { ask, faultsOf, useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { cardOf, described, rulesOf, standing, start } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { GoalBox } from "./goalbox.mjs";
import { Outcomes } from "./outcomes.mjs";
import { Panel } from "./parts.mjs";
import { saved } from "./share.mjs";

/** @import { Position, Props } from "../../types.js" */

const PAUSE = 400; // milliseconds after the last key

/** @param {Props} props */
export function Conditions(props) {
  const { state, dispatch, backend } = props;
  const { position, question, conditions } = state;
  const game = position?.game;
  const file = typeof game === "string" && /\.ya?ml$/i.test(game);
  const { answer: read } = useAnswer(backend, file ? { ask: "read", file: game } : null);
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  const { answer: board } = useAnswer(backend, position && { ask: "board", moment: start(position) });
  const [tried, setTried] = useState(/** @type {Position | null} */ (null));
  const card = file ? read?.position : cardOf(game);
  const own = card?.outcomes ?? "";
  const text = conditions ?? own;
  const under = () => {
    const whole = (/** @type {any} */ line) => ({ ...line, steps: [...(read?.steps ?? []), ...line.steps] }); // the record of a file, too
    const now = whole(position);
    return { ...now, game: { ...card, outcomes: text.trim() ? text : undefined }, at: now.at + (read?.steps.length ?? 0), branches: now.branches?.map(whole) };
  };
  useEffect(() => {
    const timer = setTimeout(() => setTried(card && under()), PAUSE);
    return () => clearTimeout(timer);
  }, [position, read, text]);
  if (!card || card.rulebook) return null;
  const attempt = (/** @type {any} */ request, /** @type {(found: any) => void} */ then) => ask(backend, request).then(then, (error) => dispatch({ do: "fail", faults: faultsOf(error) }));
  const use = () => attempt(standing(under()), () => dispatch({ do: "open", position: under(), question }));
  const save = () => attempt({ ask: "written", moment: described(under()) }, (found) => saved("card.yaml", found.text, "application/yaml"));
  return html`<${Panel} title="Conditions of a card" open=${false}>
    <${GoalBox} text=${text} rules=${rules} places=${board?.places ?? []} onText=${(/** @type {string} */ text) => dispatch({ do: "conditions", text })} />
    <p class="buttons">
      <button type="button" onClick=${use}>Use them on the board</button>
      <button type="button" onClick=${save}>Save as a file</button>
    </p>
    ${text !== own && html`<${Outcomes} ...${props} state=${{ ...state, position: tried }} title="Who is winning by this text" />`}
  <//>`;
}

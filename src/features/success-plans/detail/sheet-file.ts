// The print sheet as one HTML file, which opens anywhere without a network. It is text put together here: no
// script, nothing that is loaded, and every word of a user escaped.
import { LOCALE } from '../../../../contract/text/locale.ts'
import { chartLines, GRID, type LineChartProps } from '../../../ui/display/chart.tsx'
import { blocksOf, partsOf, type Block, type Part } from '../../../ui/text/markup.ts'

/** The content of the file: only what was chosen, since what is in a file cannot be hidden. */
export interface SheetContent {
  title: string
  /** Status, account and date below the title. */
  about: readonly string[]
  /** 0 to 100; null where progress was not chosen. */
  progress: { label: string; value: number } | null
  /** Progress over time; null where progress was not chosen. */
  chart: (LineChartProps & { title: string }) | null
  facts: readonly (readonly [name: string, value: string])[]
  texts: readonly { title: string; text: string }[]
  work: { title: string; initiatives: readonly SheetInitiative[] }
  updates: { title: string; entries: readonly { about: string; text: string }[] }
}

interface SheetInitiative {
  /** Empty for actions without an initiative. */
  title: string
  progress: string
  actions: readonly { title: string; isDone: boolean; state: string; about: string }[]
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML that is safe to insert: made by `html` alone. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Inserted = string | number | Html | readonly Html[]

const insert = (value: Inserted): string => {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((one) => one.text).join('')
  return String(value).replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}

/** A template in which everything inserted is escaped, unless `html` made it. */
const html = (texts: TemplateStringsArray, ...values: Inserted[]): Html =>
  new Html(
    texts
      .map((text, index) => text + (index < values.length ? insert(values[index] ?? '') : ''))
      .join(''),
  )

const NOTHING = html``

// Type and colours of `tokens.css`, which a file on another device does not have.
const STYLE = `
:root { color-scheme: light }
body { margin: 0 auto; padding: 2.5rem 1.25rem; max-width: 44rem; background: #f7f4ee; color: #23271f; font: 1rem/1.55 Figtree, 'Figtree Accents', system-ui, sans-serif; overflow-wrap: anywhere }
h1, h2, h3 { font-weight: 650; text-wrap: balance }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em }
h2 { margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid #e1dbcf; font-size: 1.125rem }
h3 { margin: 1.25rem 0 .25rem; font-size: 1rem }
p { margin: .5rem 0 }
.about, .note, dt { color: #53574b; font-size: .875rem }
.note { float: inline-end; padding-inline-start: 1rem; font-weight: 400 }
progress { width: 100%; height: .5rem; accent-color: #2b5646 }
figure { margin: 1.5rem 0 }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; margin-top: .5rem; color: #53574b; font-size: .75rem; font-variant-numeric: tabular-nums }
.legend { flex-basis: 100% }
.plot { display: flex; gap: .5rem; height: 8rem }
.axis { display: flex; flex-direction: column; justify-content: space-between; margin-block: -.5rem; min-width: 2.5rem; text-align: end; line-height: 1rem; color: #53574b; font-size: .75rem; font-variant-numeric: tabular-nums }
.plot + figcaption { margin-inline-start: 3rem }
svg { display: block; width: 100%; height: 100%; overflow: visible; fill: none }
svg * { vector-effect: non-scaling-stroke; stroke: #8d8676 }
svg .grid { stroke: #e1dbcf }
svg .area { fill: #e1eae0; stroke: none }
svg .line { stroke: #2b5646; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
svg .even { stroke-width: 1.5; stroke-dasharray: 4 4 }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem }
dd { margin: 0 }
ul.actions { margin: 0; padding: 0; list-style: none }
ul.actions li { padding: .25rem 0; border-bottom: 1px solid #e1dbcf }
.text { white-space: pre-wrap }
.text ul, .text ol { margin: .5rem 0 }
code, pre { font: .875em ui-monospace, monospace; white-space: pre-wrap }
a { color: #2b5646 }
section { break-inside: avoid-page }
@media print { body { padding: 0; max-width: none; background: none } }
`

const FAMILIES = ['Figtree', 'Figtree Accents']
const fontStyle = (font: string, index: number) =>
  font === ''
    ? ''
    : `
@font-face { font-family: '${FAMILIES[index]}'; font-weight: 400 700; src: url(data:font/woff2;base64,${font}) format('woff2') }
`

const partHtml = (part: Part): Html => {
  if (typeof part === 'string') return html`${part}`
  if (part.kind === 'code') return html`<code>${part.text}</code>`
  if (part.kind === 'link')
    return html`<a href="${part.href}" rel="noopener noreferrer nofollow"
      ><bdi>${part.text}</bdi
      >${part.host === undefined ? NOTHING : html` (<bdi>${part.host}</bdi>)`}</a
    >`
  const parts = part.parts.map(partHtml)
  return part.kind === 'bold' ? html`<strong>${parts}</strong>` : html`<em>${parts}</em>`
}

const inline = (text: string): readonly Html[] => partsOf(text).map(partHtml)

const blockHtml = ({ kind, lines, start }: Block): Html => {
  if (kind === 'code') return html`<pre>${lines.join('\n')}</pre>`
  if (kind === 'text') return html`<p>${inline(lines.join('\n'))}</p>`
  const items = lines.map((line) => html`<li>${inline(line)}</li>`)
  return kind === 'ul'
    ? html`<ul>
        ${items}
      </ul>`
    : html`<ol start="${start ?? 1}">
        ${items}
      </ol>`
}

const rich = (text: string): Html =>
  html`<div class="text" dir="auto">${blocksOf(text).map(blockHtml)}</div>`

const section = (title: string, content: readonly Html[]): Html =>
  content.length === 0
    ? NOTHING
    : html`<section>
        <h2>${title}</h2>
        ${content}
      </section>`

/** As LineChart draws it; those who do not see it get the points as a table. */
function chartHtml({ title, label, labels, ...shown }: NonNullable<SheetContent['chart']>): Html {
  const { points, even } = shown
  const { from, to, x, line, area, now } = chartLines(shown)
  return section(title, [
    html`<figure>
        <div class="plot" aria-hidden="true">
          <div class="axis">
            ${GRID.toReversed().map((value) => html`<span>${labels.percent(value)}</span>`)}
          </div>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none">
            <path class="grid" d="${GRID.map((value) => `M0 ${100 - value}h100`).join('')}" />
            <polygon class="area" points="${area}" />
            ${
              even
                ? html`<line
                    class="even"
                    x1="${x(even.from)}"
                    y1="100"
                    x2="${x(even.to)}"
                    y2="0"
                  />`
                : NOTHING
            }
            ${now === undefined ? NOTHING : html`<line x1="${now}" y1="0" x2="${now}" y2="100" />`}
            <polyline class="line" points="${line}" />
          </svg>
        </div>
        <figcaption aria-hidden="true">
          <span>${labels.moment(from)}</span>
          <span>${labels.moment(to)}</span>
          <span class="legend">— ${labels.value}${even ? ` · - - ${labels.even}` : ''}</span>
        </figcaption>
      </figure>
      <div class="spoken">
        <table>
          <caption>
            ${label}
          </caption>
          ${points.map(
            ({ at, value }) =>
              html`<tr>
                <th scope="row">${labels.moment(at)}</th>
                <td>${labels.percent(value)}</td>
              </tr>`,
          )}
        </table>
      </div>`,
  ])
}

const initiativeHtml = ({ title, progress, actions }: SheetInitiative): Html =>
  html` ${title === '' ? NOTHING : html`<h3><span class="note">${progress}</span>${title}</h3>`}
    <ul class="actions">
      ${actions.map(
        (action) =>
          html`<li>
            <span class="note">${action.about}</span
            ><span role="img" aria-label="${action.state}">${action.isDone ? '☑' : '☐'}</span>
            ${action.title}
          </li>`,
      )}
    </ul>`

/**
 * The file's text. Its own policy forbids scripts, requests and forms, whatever a text contains, and sends no referrer
 * to the pages that it links to. `fonts`: the parts of the font in base64, the one with accented letters last; empty
 * where a part could not be read.
 */
export function sheetFile(content: SheetContent, fonts: readonly string[] = []): string {
  const { title, about, progress, chart, facts, texts, work, updates } = content
  // Not escaped by `html`: the policy and the styles are the two texts that no user wrote.
  const head =
    new Html(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${fonts.map(fontStyle).join('')}${STYLE}</style>`)
  return html`<!doctype html>
    <html lang="${LOCALE}">
      <head>
        <meta charset="utf-8" />
        ${head}
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1 dir="auto">${title}</h1>
          <p class="about">${about.join(' · ')}</p>
          ${
            progress === null
              ? NOTHING
              : html`<p>
                  <progress
                    aria-label="${progress.label}"
                    max="100"
                    value="${progress.value}"
                  ></progress>
                </p>`
          }
          ${
            facts.length === 0
              ? NOTHING
              : html`<dl>
                  ${facts.map(
                    ([name, value]) =>
                      html`<dt>${name}</dt>
                        <dd>${value}</dd>`,
                  )}
                </dl>`
          }
          ${chart === null ? NOTHING : chartHtml(chart)}
          ${texts.map(({ title: name, text }) => section(name, [html`<p class="text" dir="auto">${text}</p>`]))}
          ${section(work.title, work.initiatives.map(initiativeHtml))}
          ${section(
            updates.title,
            updates.entries.map(
              (entry) =>
                html`<h3 class="about">${entry.about}</h3>
                  ${rich(entry.text)}`,
            ),
          )}
        </main>
      </body>
    </html> `.text
}

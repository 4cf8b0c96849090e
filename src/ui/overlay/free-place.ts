// Where toasts are shown: never on a link, button or field, as long as one of the places is free.

/** `top` and `bottom` of the section, in the order of preference: below, above a phone's navigation, above. */
const PLACES = [
  ['', ''],
  ['', 'calc(5.5rem + var(--safe-bottom))'],
  ['calc(4.5rem + var(--safe-top))', 'auto'],
  ['calc(1rem + var(--safe-top))', 'auto'],
] as const

const CONTROLS =
  'a[href], button, input, select, textarea, summary, label, [role=button], [contenteditable]'

/** Distance between the points that are checked, in CSS pixels: less than the size of any control. */
const GRID_PX = 12

/** How often the place is checked, as the screen beneath may change. */
const CHECK_MS = 500

/** Keeps `section`, whose children are the toasts, where they lie on no control, until `ended`. */
export function keepFree(section: HTMLElement, ended: AbortSignal): void {
  if (ended.aborted) return
  moveToFreePlace(section)
  const timer = setInterval(() => {
    // A toast that is about to be pressed does not move away, and none moves between press and release: over
    // what is being pressed it would take the click.
    if (!section.matches(':hover, :focus-within') && !document.querySelector(':active'))
      moveToFreePlace(section)
  }, CHECK_MS)
  ended.addEventListener('abort', () => clearInterval(timer))
  window.addEventListener('resize', () => moveToFreePlace(section), { signal: ended })
}

/**
 * Moves `section`, whose children are the toasts, to the first place where they lie on no control; to the
 * one with the fewest points on controls if none is free. It stays where it is while that place is free.
 */
function moveToFreePlace(section: HTMLElement): void {
  if (countCovered(section) === 0) return
  let best: readonly [string, string] = PLACES[0]
  let fewest = Infinity
  for (const place of PLACES) {
    move(section, place)
    const covered = countCovered(section)
    if (covered >= fewest) continue
    best = place
    fewest = covered
  }
  move(section, best)
}

function move({ style }: HTMLElement, [top, bottom]: readonly [string, string]): void {
  style.top = top
  style.bottom = bottom
}

/** Number of grid points of the toasts that have a control beneath. */
function countCovered(section: HTMLElement): number {
  let covered = 0
  for (const child of section.children) {
    const { left, right, top, bottom } = child.getBoundingClientRect()
    for (let x = left; x < right; x += GRID_PX)
      for (let y = top; y < bottom; y += GRID_PX) if (hasControlAt(x, y, section)) covered += 1
  }
  return covered
}

const hasControlAt = (x: number, y: number, section: HTMLElement): boolean =>
  document
    .elementsFromPoint(x, y)
    .some((element) => !section.contains(element) && element.closest(CONTROLS) !== null)

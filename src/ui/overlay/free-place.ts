// Where toasts are shown: never on a link, button or field, as long as one of the places is free.

/** In the order of preference; the values of `data-place`, which toast.tsx styles. */
const PLACES = ['bottom', 'raised', 'upper', 'top'] as const

const CONTROLS =
  'a[href], button, input, select, textarea, summary, label, [role=button], [contenteditable]'

/** Distance between the points that are checked, in CSS pixels: less than the size of any control. */
const GRID_PX = 12

/**
 * Moves `section`, whose children are the toasts, to the first place where they lie on no control; to the
 * one with the fewest points on controls if none is free. It stays where it is while that place is free.
 */
export function moveToFreePlace(section: HTMLElement): void {
  if (countCovered(section) === 0) return
  let best: (typeof PLACES)[number] = PLACES[0]
  let fewest = Infinity
  for (const place of PLACES) {
    section.dataset['place'] = place
    const covered = countCovered(section)
    if (covered >= fewest) continue
    best = place
    fewest = covered
  }
  section.dataset['place'] = best
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

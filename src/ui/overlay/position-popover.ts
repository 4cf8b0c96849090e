const GAP_PX = 6
const EDGE_PX = 8

/**
 * Positions an open or opening popover next to its anchor and inside the window: below if there is
 * room, else above; aligned to the left or right edge, whichever leaves more width, and moved inwards as
 * far as its least width needs. Beside an anchor that has left the window it stays at that edge. Measures only the
 * anchor, so it can run before the panel is painted.
 */
export function positionPopover(anchor: Element, panel: HTMLElement) {
  const box = anchor.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const inside = (y: number) => Math.min(Math.max(y, 0), height)
  const [above, bottom] = [inside(box.top), inside(box.bottom)]
  const below = height - bottom
  const down = below >= above || below > 320
  const fromLeft = box.left + box.right <= width
  const least = Math.min(
    Number.parseFloat(getComputedStyle(panel).minWidth) || 0,
    width - 2 * EDGE_PX,
  )
  const side = Math.max(
    EDGE_PX,
    Math.min(fromLeft ? box.left : width - box.right, width - EDGE_PX - least),
  )
  Object.assign(panel.style, {
    inset: 'auto',
    top: down ? `${bottom + GAP_PX}px` : 'auto',
    bottom: down ? 'auto' : `${height - above + GAP_PX}px`,
    left: fromLeft ? `${side}px` : 'auto',
    right: fromLeft ? 'auto' : `${side}px`,
    maxWidth: `${width - side - EDGE_PX}px`,
    maxHeight: `${(down ? below : above) - GAP_PX - EDGE_PX}px`,
  })
}

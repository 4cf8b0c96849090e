import { Component, createRef, type ComponentProps } from 'react'

/**
 * An article that takes the focus when the focused control inside it disappears, for example a button
 * that is no longer offered. Otherwise the position in the page would be lost. A class, because only
 * `getSnapshotBeforeUpdate` can inspect the document right before React changes it.
 */
export class KeepFocus extends Component<ComponentProps<'article'>> {
  readonly #article = createRef<HTMLElement>()

  override getSnapshotBeforeUpdate(): boolean {
    return this.#article.current?.contains(document.activeElement) ?? false
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean) {
    if (hadFocus && !this.#article.current?.contains(document.activeElement))
      this.#article.current?.focus({ preventScroll: true })
  }

  override render() {
    return <article {...this.props} ref={this.#article} tabIndex={-1} />
  }
}

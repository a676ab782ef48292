// SPDX-License-Identifier: Apache-2.0

/// A picture over time, with the values that the page shows under the pointer.
struct Figure: Sendable {
    /// Values by column, as a line has them.
    struct Series: Sendable {
        /// The name, which is short.
        let name: String
        /// The unit; may be empty.
        let unit: String
        /// The number of decimal places.
        let digits: Int
        /// A value a column; those that aren't finite are unknown.
        let values: [Float]
    }

    /// The vertical axis of a picture of colors.
    struct ColorAxis: Sendable {
        /// The colors and their values.
        let map: ColorMap
        /// The unit of the values.
        let unit: String
        /// The edges of rows from the bottom up.
        let edges: [Double]
        /// The unit of the edges.
        let edgeUnit: String
    }

    /// The name of the figure in addresses and file names.
    var name: String
    /// The heading, the same for all views of a subject.
    let title: String
    /// A sentence about the content; may be empty.
    let caption: String
    /// The height of the drawing; its width is that of ``PlotFrame``.
    let height: Double
    /// The drawing, as elements of SVG.
    let drawing: String
    /// The lines.
    var series: [Series] = []
    /// The picture of colors, if there is one, column by column of the grid.
    var image: PNGImage?
    /// Its axis.
    var colorAxis: ColorAxis?
    /// The vertical range of the picture of colors.
    var imageRange: ClosedRange<Double>?
    /// The label of the button that shows this view, if the figure is one of several views of the same subject.
    var view = "This file"
}

/// The places of a drawing's parts, the same in all figures, so that times are below each other.
struct PlotFrame: Sendable {
    /// The width of a drawing.
    static let width = 1080.0
    /// The left and the right edge of the plot.
    static let (left, right) = (52.0, 1016.0)
    /// The upper edge of the plot, below the legend.
    static let top = 26.0
    /// The space below the plot, for the axis of time.
    static let bottom = 26.0

    /// The height of the plot.
    let plotHeight: Double
    /// The axis of time, in seconds.
    let time: PlotScale

    /// The lower edge of the plot.
    var base: Double { Self.top + plotHeight }
    /// The height of the drawing.
    var height: Double { base + Self.bottom }

    /// Places a plot.
    init(plotHeight: Double, seconds: Double) {
        self.plotHeight = plotHeight
        time = PlotScale(0...seconds, from: Self.left, to: Self.right)
    }

    /// Returns a vertical scale.
    func vertical(_ values: ClosedRange<Double>) -> PlotScale { PlotScale(values, from: base, to: Self.top) }

    /// Returns the middle of a column.
    func middle(ofColumn column: Int, of count: Int) -> Double {
        Self.left + (Double(column) + 0.5) / Double(count) * (Self.right - Self.left)
    }
}

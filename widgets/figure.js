// The probability figure's module: plotly's own, fetched once a page and not once a figure (DESIGN, Jupyter facts).
//
//   browser -> Python   {want: "plotly"}    answer with {plotly: true} and plotly's module, as buffer
//                       {want: "current"}   send what is drawn now, then answer {current: true}
//
// anywidget gives a module two seconds to load and then drops every message for good. Plotly takes longer on a busy
// machine, so this module is small, and what changed while plotly was loading is asked for afterwards.

const PLOTLY = Symbol.for("routing_workbench.plotly");

async function plotly(model) {
  if (!globalThis[PLOTLY]) {
    const source = await ask(model, "plotly");
    globalThis[PLOTLY] ??= import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  }
  return (await globalThis[PLOTLY]).default();
}

async function start(model) {
  const figure = await plotly(model);
  await ask(model, "current", () => figure.initialize({ model }));
  return figure;
}

// Python's answer. `at` is called with it, before any message that comes after.
function ask(model, want, at = () => {}) {
  return new Promise((done) => {
    const hear = (message, buffers) => {
      if (!message[want]) return;
      model.off("msg:custom", hear);
      at();
      done(buffers?.[0]);
    };
    model.on("msg:custom", hear);
    model.send({ want });
  });
}

export default () => {
  let model = null; // the proxy that lives as long as the model, while render's lives as long as its view
  let started = null;
  return {
    initialize(given) {
      model = given.model;
    },
    async render({ el, signal }) {
      started ??= start(model);
      const figure = await started;
      return signal.aborted ? undefined : figure.render({ el });
    },
  };
};

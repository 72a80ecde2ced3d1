//! The features of a candidate, one row each: name, scale and reason. The names are the keys of
//! `judge.toml`, the words of `--explain`, and the columns that `training/` learns from, so the
//! three cannot differ.
//!
//! Each trait of `super::traits` adds two more features.

use super::traits::TRAITS;

/// A feature of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct CandidateFeature {
    /// Name in weights, explanations and training files.
    pub name: &'static str,
    /// Divisor of the raw value, which brings all features to a similar size: most values are in 0
    /// to 1, and few exceed 3.
    pub scale: f32,
    /// Reason why the feature separates the right candidate from the others.
    pub why: &'static str,
}

impl CandidateFeature {
    /// Returns the name and the scaled value of a raw value.
    pub(super) fn of(&self, raw: f32) -> (&'static str, f32) {
        (self.name, raw / self.scale)
    }
}

/// Returns the names of all features in the order of a [`super::FeatureVector`]: the rows below,
/// then two for each trait.
pub fn feature_names() -> impl Iterator<Item = &'static str> {
    FEATURES.iter().map(|feature| feature.name).chain(TRAITS.iter().flat_map(|of| of.names))
}

macro_rules! features {
    ($($id:ident $name:literal $scale:literal $why:literal;)*) => {
        $(pub(super) const $id: CandidateFeature = CandidateFeature { name: $name, scale: $scale, why: $why };)*
        /// All features except traits, in the order of a [`super::FeatureVector`].
        pub const FEATURES: &[CandidateFeature] = &[$($id),*];
    };
}

features! {
    // Length. All lengths are ln(1 + count): 5 is 150 lines, 25 is its square, and 10 and 20 are
    // its product with the length of a procedure.
    LINES "lines" 5.0 "a description of four parts is written of functions that are worth it";
    LINES_SQUARED "lines squared" 25.0 "neither the shortest nor the longest are asked for most";
    WORDS "words" 5.0 "as lines, for code that stands in few long ones";
    WORDS_SQUARED "words squared" 25.0 "as lines squared";
    LINES_BY_TOLD "lines by told" 10.0 "a long procedure is told of a long function";
    WORDS_BY_TOLD "words by told" 20.0 "as lines by told";
    LINES_BY_STEPS "lines by steps" 20.0 "a procedure of many steps is told of a long function";

    // Pairs of neighbouring words.
    PHRASES "phrases" 1.0 "share of the question's pairs of neighbours that the code has, rare ones counting more";
    PHRASES_APART "phrases with one between" 1.0 "the same for words with one word between";
    PHRASES_FOUND "phrases found" 1.0 "how many pairs, over the root of all: longer questions have more by chance";
    PHRASES_OF_NAME "phrases of the name" 1.0 "share of the name's pairs that the question has";

    // Words.
    HELD "held" 1.0 "share of the question's words that the code has, rare ones counting more";
    HELD_RARE "held rare" 1.0 "the same, by the square of rarity";
    SENTENCE_HELD_LEAST "sentence held least" 1.0 "the sentence that speaks least of this code may be foreign to it";
    SENTENCES_HELD "sentences held" 1.0 "all sentences alike, however long";
    HEAD_SPOKEN_OF "head spoken of" 1.0 "share of the signature's words that the question has";
    CODE_SPOKEN_OF "code spoken of" 1.0 "share of all its words that the question has: a description leaves out little";

    // Sentences against blocks of lines, by the cosine of word vectors.
    SENTENCES_NEAR "sentences near" 1.0 "each sentence has lines that it tells of";
    SENTENCE_NEAR_LEAST "sentence near least" 1.0 "a sentence that nothing is near to is of another function";
    BLOCKS_NEAR "blocks near" 1.0 "each block of lines has a sentence about it";
    BLOCK_NEAR_LEAST "block near least" 1.0 "lines that no sentence tells of";
    BLOCKS_IN_ORDER "blocks in order" 1.0 "a description follows the code: mean direction between sentences, -1 to 1";

    // Words, by the cosine of word vectors.
    CODE_NEAR "code near" 1.0 "how near the question comes to the words of the code, telling ones counting more";
    WORDS_NEAR "words near" 1.0 "the same, all words alike";
    WORDS_FAR "words far" 1.0 "share of words that the question says nothing near to";
    PURPOSE_NEAR "purpose near" 1.0 "how near the code comes to the words of the purpose";
    PURPOSE_NEAR_LEAST "purpose near least" 1.0 "the word of the purpose that it comes least near to";
    INPUT_NEAR "input near" 1.0 "as for the purpose";
    INPUT_NEAR_LEAST "input near least" 1.0 "as for the purpose";
    OUTPUT_NEAR "output near" 1.0 "as for the purpose";
    OUTPUT_NEAR_LEAST "output near least" 1.0 "as for the purpose";
    PROCEDURE_NEAR "procedure near" 1.0 "as for the purpose";
    PROCEDURE_NEAR_LEAST "procedure near least" 1.0 "as for the purpose";
    NAME_NEAR_PURPOSE "name near purpose" 1.0 "a name says what the purpose says";
    PURPOSE_NEAR_NAME "purpose near name" 1.0 "the same from the other side";
    NAME_ASKED_FOR "name asked for" 1.0 "share of the name's words that the question has";

    // Parameters against the input section.
    PARAMETERS_IN_INPUT "parameters in input" 1.0 "share of the parameters that the part about input names";
    PARAMETERS_IN_QUESTION "parameters in question" 1.0 "share that the question names anywhere";
    PARAMETERS_NEAR "parameters near" 1.0 "inputs are told in other words than parameters are named";
    PARAMETER_NEAR_LEAST "parameter near least" 1.0 "a parameter that no input is near to";
    INPUTS_OFF "inputs off" 4.0 "inputs told and parameters differ in number; 12 and more are alike";
    NONE_TAKEN "none taken as asked" 1.0 "the question says that there is no input, and there is none";
    TAKEN_UNASKED "taken though none asked" 1.0 "the question says that there is no input, and there is some";
    PARAMETERS "parameters" 5.0 "how many; 20 and more are alike";

    // Returned values against the output section.
    RETURNED_SPOKEN_OF "returned spoken of" 1.0 "share of the words of returned values that the part about output has";
    OUTPUT_RETURNED "output returned" 1.0 "share of the words of that part that returned values have";
    RETURNED_NEAR "returned near" 1.0 "the same by the cosine of word vectors";
    OUTPUT_NEAR_RETURNED "output near returned" 1.0 "the same from the other side";
    RETURNS "returns" 1.0 "ln(1 + return statements)";

    // Calls, branches and the order of steps against the procedure section.
    CALLS_SPOKEN_OF "calls spoken of" 1.0 "share of the calls that the question names, rare ones counting more";
    CALLS_NEAR "calls near" 1.0 "the same by the cosine of word vectors";
    CALLS "calls" 3.0 "ln(1 + calls): 3 is 20 calls";
    CALLS_BY_STEPS "calls by steps" 5.0 "a procedure of many steps is told of a function with many calls";
    BRANCHES "branches" 10.0 "how many; 20 and more are alike";
    LOOPS "loops" 5.0 "how many; 10 and more are alike";
    STEPS_IN_ORDER "steps in order" 1.0 "words of the procedure come in the order of the code: -1 to 1";
    NUMBERS "numbers" 1.0 "share of the question's numbers that the code has";
    QUOTED "quoted" 1.0 "share of what the question quotes that the code has";
}
